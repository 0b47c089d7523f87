package io.albis.benchmarks.format.file;

import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.schema.MessageType;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The Parquet format as parquet-java writes it with its defaults, with the same types as in {@link ParquetFormat}.
 */
record ParquetJavaFormat(CompressionCodecName codec)
        implements FileFormat
{
    private static final String FILE = "file.parquet";

    ParquetJavaFormat
    {
        requireNonNull(codec, "codec is null");
    }

    @Override
    public void write(Path folder, List<Column> columns, Iterator<Page> pages)
            throws IOException
    {
        columns.forEach(column -> checkArgument(NumberColumn.isSupported(column.type()), "not a number: %s", column));
        OutputFile file = new LocalOutputFile(folder.resolve(FILE));
        try (ParquetWriter<ParquetJavaRow> writer = new Builder(file, ParquetFormat.messageType(columns), columns)
                .withConf(new PlainParquetConfiguration())
                .withCompressionCodec(codec)
                .build()) {
            while (pages.hasNext()) {
                Page page = pages.next();
                for (int position = 0; position < page.getPositionCount(); position++) {
                    writer.write(new ParquetJavaRow(page, position));
                }
            }
        }
    }

    @Override
    public StoredTable open(Path folder, List<Column> columns)
    {
        return scan -> {
            checkArgument(scan.equals(Scan.all(columns.size())), "only whole tables can be read");
            return new ParquetJavaPages(folder.resolve(FILE), columns);
        };
    }

    private static class Builder
            extends ParquetWriter.Builder<ParquetJavaRow, Builder>
    {
        private final MessageType schema;
        private final List<Column> columns;

        public Builder(OutputFile file, MessageType schema, List<Column> columns)
        {
            super(file);
            this.schema = requireNonNull(schema, "schema is null");
            this.columns = requireNonNull(columns, "columns is null");
        }

        @Override
        protected Builder self()
        {
            return this;
        }

        @Override
        protected WriteSupport<ParquetJavaRow> getWriteSupport(Configuration configuration)
        {
            return new ParquetJavaRow.Support(schema, columns);
        }

        @Override
        protected WriteSupport<ParquetJavaRow> getWriteSupport(ParquetConfiguration configuration)
        {
            return new ParquetJavaRow.Support(schema, columns);
        }
    }
}
