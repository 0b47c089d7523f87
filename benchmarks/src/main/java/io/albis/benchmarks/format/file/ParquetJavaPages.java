package io.albis.benchmarks.format.file;

import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import jakarta.annotation.Nullable;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import static java.lang.Math.toIntExact;

/**
 * Reads a Parquet file with the column readers of parquet-java, which is the lowest level that decodes values. Unlike
 * its record readers, they assemble no records.
 */
class ParquetJavaPages
        implements Pages
{
    private final ParquetFileReader reader;
    private final List<Column> columns;
    private final NumberReader[] readers;
    @Nullable
    private PageReadStore rowGroup;
    private long remaining;

    public ParquetJavaPages(Path file, List<Column> columns)
            throws IOException
    {
        this.reader = ParquetFileReader.open(new ParquetJavaFile(file), ParquetReadOptions.builder(new PlainParquetConfiguration()).build());
        this.columns = columns;
        this.readers = new NumberReader[columns.size()];
    }

    @Nullable
    @Override
    public Page next()
            throws IOException
    {
        while (remaining == 0) {
            if (!nextRowGroup()) {
                return null;
            }
        }
        int rows = toIntExact(Math.min(remaining, NumberColumn.PAGE_ROWS));
        remaining -= rows;
        Block[] blocks = new Block[readers.length];
        for (int channel = 0; channel < blocks.length; channel++) {
            blocks[channel] = readers[channel].read(rows);
        }
        return new Page(rows, blocks);
    }

    private boolean nextRowGroup()
            throws IOException
    {
        closeRowGroup();
        rowGroup = reader.readNextRowGroup();
        if (rowGroup == null) {
            return false;
        }
        remaining = rowGroup.getRowCount();
        ColumnReadStoreImpl store = new ColumnReadStoreImpl(
                rowGroup,
                new NoRecords(),
                reader.getFileMetaData().getSchema(),
                reader.getFileMetaData().getCreatedBy());
        List<ColumnDescriptor> descriptors = reader.getFileMetaData().getSchema().getColumns();
        for (int channel = 0; channel < readers.length; channel++) {
            ColumnReader column = store.getColumnReader(descriptors.get(channel));
            readers[channel] = new NumberReader(column, columns.get(channel).type());
        }
        return true;
    }

    private void closeRowGroup()
    {
        if (rowGroup != null) {
            rowGroup.close();
            rowGroup = null;
        }
    }

    @Override
    public void close()
            throws IOException
    {
        closeRowGroup();
        reader.close();
    }

    /**
     * The column readers need a receiver of records, which stays unused.
     */
    private static class NoRecords
            extends GroupConverter
    {
        @Override
        public Converter getConverter(int fieldIndex)
        {
            return new PrimitiveConverter() {};
        }

        @Override
        public void start() {}

        @Override
        public void end() {}
    }
}
