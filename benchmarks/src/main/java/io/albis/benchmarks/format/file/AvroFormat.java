package io.albis.benchmarks.format.file;

import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.SchemaBuilder.FieldAssembler;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.IndexedRecord;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

import static io.trino.spi.type.IntegerType.INTEGER;

/**
 * Avro data files without compression. The reader reuses one generic record for all rows. Decimals are stored as long,
 * which is faster to read than the bytes of Avro's decimal.
 */
record AvroFormat()
        implements FileFormat
{
    private static final String FILE = "file.avro";

    @Override
    public void write(Path folder, List<Column> columns, Iterator<Page> pages)
            throws IOException
    {
        Schema schema = schema(columns);
        try (DataFileWriter<IndexedRecord> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
            writer.create(schema, folder.resolve(FILE).toFile());
            GenericData.Record row = new GenericData.Record(schema);
            while (pages.hasNext()) {
                Page page = pages.next();
                for (int position = 0; position < page.getPositionCount(); position++) {
                    for (int channel = 0; channel < columns.size(); channel++) {
                        row.put(channel, value(columns.get(channel), page.getBlock(channel), position));
                    }
                    writer.append(row);
                }
            }
        }
    }

    private static Schema schema(List<Column> columns)
    {
        FieldAssembler<Schema> fields = SchemaBuilder.record("row").fields();
        for (Column column : columns) {
            if (column.type().equals(INTEGER)) {
                fields.optionalInt(column.name());
            }
            else {
                fields.optionalLong(column.name());
            }
        }
        return fields.endRecord();
    }

    private static Object value(Column column, Block block, int position)
    {
        if (block.isNull(position)) {
            return null;
        }
        long value = column.type().getLong(block, position);
        if (column.type().equals(INTEGER)) {
            return (int) value;
        }
        return value;
    }

    @Override
    public StoredTable open(Path folder, List<Column> columns)
    {
        return scan -> new AvroPages(folder.resolve(FILE).toFile(), columns, scan);
    }

    private static class AvroPages
            extends RowPages
    {
        private final DataFileReader<IndexedRecord> reader;
        private IndexedRecord row;

        public AvroPages(File file, List<Column> columns, Scan scan)
                throws IOException
        {
            super(columns, scan);
            this.reader = new DataFileReader<>(file, new GenericDatumReader<>());
        }

        @Override
        protected boolean readRow(NumberColumn[] columns)
                throws IOException
        {
            if (!reader.hasNext()) {
                return false;
            }
            row = reader.next(row);
            for (int channel = 0; channel < columns.length; channel++) {
                if (row.get(channel) instanceof Number number) {
                    columns[channel].append(number.longValue());
                }
                else {
                    columns[channel].appendNull();
                }
            }
            return true;
        }

        @Override
        public void close()
                throws IOException
        {
            reader.close();
        }
    }
}
