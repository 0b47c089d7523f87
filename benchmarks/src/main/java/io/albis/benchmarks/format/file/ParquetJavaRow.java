package io.albis.benchmarks.format.file;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * A row of a page that parquet-java writes.
 */
record ParquetJavaRow(Page page, int position)
{
    ParquetJavaRow
    {
        requireNonNull(page, "page is null");
    }

    /**
     * Passes the values of rows to the writer.
     */
    static class Support
            extends WriteSupport<ParquetJavaRow>
    {
        private final MessageType schema;
        private final List<Column> columns;
        private RecordConsumer consumer;

        public Support(MessageType schema, List<Column> columns)
        {
            this.schema = requireNonNull(schema, "schema is null");
            this.columns = ImmutableList.copyOf(columns);
        }

        @Override
        public WriteContext init(Configuration configuration)
        {
            return new WriteContext(schema, ImmutableMap.of());
        }

        @Override
        public WriteContext init(ParquetConfiguration configuration)
        {
            return new WriteContext(schema, ImmutableMap.of());
        }

        @Override
        public void prepareForWrite(RecordConsumer consumer)
        {
            this.consumer = requireNonNull(consumer, "consumer is null");
        }

        @Override
        public void write(ParquetJavaRow row)
        {
            consumer.startMessage();
            for (int channel = 0; channel < columns.size(); channel++) {
                Block block = row.page().getBlock(channel);
                if (!block.isNull(row.position())) {
                    Column column = columns.get(channel);
                    consumer.startField(column.name(), channel);
                    write(schema.getType(channel).asPrimitiveType().getPrimitiveTypeName(), column.type().getLong(block, row.position()));
                    consumer.endField(column.name(), channel);
                }
            }
            consumer.endMessage();
        }

        private void write(PrimitiveTypeName type, long value)
        {
            switch (type) {
                case INT32 -> consumer.addInteger((int) value);
                case INT64 -> consumer.addLong(value);
                default -> throw new IllegalArgumentException("not supported: " + type);
            }
        }
    }
}
