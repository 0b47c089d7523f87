package io.albis.table.partition;

import io.airlift.slice.SliceOutput;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionTypes;
import io.trino.spi.block.Block;
import io.trino.spi.type.Type;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Evaluates a function by which rows are partitioned.
 */
interface PartitionFunction
{
    /**
     * Appends the bytes of the value of a row, in which the column is not null. {@link PartitionBytes} defines them.
     */
    void append(Block block, int position, SliceOutput output);

    /**
     * @param type type of the column
     */
    static PartitionFunction of(PartitionField field, Type type)
    {
        checkArgument(PartitionTypes.isSupported(field.transform(), type), "%s does not apply to type %s", field, type);
        return switch (field.transform()) {
            case IDENTITY -> PartitionBytes.writer(type);
            case YEAR -> unit(EpochTime.years(type));
            case MONTH -> unit(EpochTime.months(type));
            case DAY -> unit(EpochTime.days(type));
            case HOUR -> unit(EpochTime.hours(type));
            case BUCKET -> bucket(new BucketNumbers(type, field.parameter()));
            case TRUNCATE -> TruncateFunction.of(type, field.parameter());
        };
    }

    private static PartitionFunction unit(EpochTime.Source unit)
    {
        return (block, position, output) -> output.writeLong(unit.get(block, position));
    }

    private static PartitionFunction bucket(BucketNumbers numbers)
    {
        return (block, position, output) -> output.writeLong(numbers.get(block, position));
    }
}
