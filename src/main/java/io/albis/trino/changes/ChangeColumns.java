package io.albis.trino.changes;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.function.table.Descriptor;
import io.trino.spi.type.TimeZoneKey;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * The columns that describe a change. They follow those of the table, and have the names and types of Trino's Iceberg
 * connector.
 */
final class ChangeColumns
{
    static final Map<String, Type> TYPES = ImmutableMap.of(
            "_change_type", VARCHAR,
            "_change_version_id", BIGINT,
            "_change_timestamp", TIMESTAMP_TZ_MILLIS,
            "_change_ordinal", INTEGER);

    private ChangeColumns() {}

    /**
     * The change that a version has made to a row.
     */
    enum ChangeType
    {
        DELETE("delete"),
        INSERT("insert"),
        /**/;

        private final String label;

        ChangeType(String label)
        {
            this.label = label;
        }
    }

    /**
     * Returns all columns of the function.
     */
    static Descriptor descriptor(List<AlbisColumnHandle> columns)
    {
        ImmutableList.Builder<Descriptor.Field> fields = ImmutableList.builder();
        columns.forEach(column -> fields.add(new Descriptor.Field(column.name(), Optional.of(column.type()))));
        TYPES.forEach((name, type) -> fields.add(new Descriptor.Field(name, Optional.of(type))));
        return new Descriptor(fields.build());
    }

    /**
     * Returns the values of these columns, each as a block of one value.
     */
    static List<Block> values(TableChangesSplit split, ChangeType change, TimeZoneKey timeZone)
    {
        return ImmutableList.of(
                value(VARCHAR, utf8Slice(change.label)),
                value(BIGINT, split.version()),
                value(TIMESTAMP_TZ_MILLIS, packDateTimeWithZone(split.time(), timeZone)),
                value(INTEGER, (long) split.ordinal()));
    }

    /**
     * Fills the last blocks of a page.
     *
     * @param values the result of {@link #values}
     */
    static void fill(Block[] blocks, List<Block> values, int positionCount)
    {
        int first = blocks.length - values.size();
        for (int i = 0; i < values.size(); i++) {
            blocks[first + i] = RunLengthEncodedBlock.create(values.get(i), positionCount);
        }
    }

    private static Block value(Type type, Object value)
    {
        BlockBuilder builder = type.createBlockBuilder(null, 1);
        writeNativeValue(type, builder, value);
        return builder.build();
    }
}
