package io.albis.trino;

import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.trino.spi.SplitWeight;
import io.trino.spi.connector.ConnectorSplit;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.SIZE_OF_INT;
import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * A row group to read.
 *
 * @param rowGroup without statistics, which have done their work on the coordinator
 * @param weight between 0 and 1, 1 for a split of usual size
 */
public record AlbisSplit(RowGroup rowGroup, double weight)
        implements ConnectorSplit
{
    private static final int INSTANCE_SIZE = instanceSize(AlbisSplit.class) + instanceSize(RowGroup.class);
    private static final int COLUMN_GROUP_INSTANCE_SIZE = instanceSize(ColumnGroupInstance.class);
    // of an Integer in a list of ids
    private static final int COLUMN_ID_SIZE = 4 * SIZE_OF_INT;

    public AlbisSplit
    {
        requireNonNull(rowGroup, "rowGroup is null");
        checkArgument(weight > 0 && weight <= 1, "weight is not in (0, 1]: %s", weight);
    }

    @Override
    public SplitWeight getSplitWeight()
    {
        return SplitWeight.fromProportion(weight);
    }

    @Override
    public long getRetainedSizeInBytes()
    {
        return INSTANCE_SIZE + estimatedSizeOf(
                rowGroup.columnGroups(),
                columnGroup -> COLUMN_GROUP_INSTANCE_SIZE + (long) COLUMN_ID_SIZE * columnGroup.columnIds().size());
    }

    @Override
    public String toString()
    {
        return "%s (%s rows, %s bytes)".formatted(RowGroup.folderName(rowGroup.id()), rowGroup.rows(), rowGroup.bytes());
    }
}
