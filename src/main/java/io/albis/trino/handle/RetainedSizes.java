package io.albis.trino.handle;

import io.airlift.slice.SizeOf;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;

import java.util.UUID;

import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static io.airlift.slice.SizeOf.sizeOf;

/**
 * The memory of what splits contain.
 */
public final class RetainedSizes
{
    private static final int ID_SIZE = instanceSize(UUID.class);
    private static final int ROW_GROUP_SIZE = instanceSize(RowGroup.class) + ID_SIZE;
    private static final int COLUMN_GROUP_SIZE = instanceSize(ColumnGroupInstance.class) + ID_SIZE;
    private static final int DELETED_ROWS_SIZE = instanceSize(DeletedRows.class) + ID_SIZE;
    private static final int PARTITION_VALUE_SIZE = instanceSize(PartitionValue.class);

    private RetainedSizes() {}

    /**
     * Returns the memory of a row group without its statistics in bytes.
     */
    public static long of(RowGroup rowGroup)
    {
        return ROW_GROUP_SIZE +
                estimatedSizeOf(rowGroup.columnGroups(), RetainedSizes::of) +
                sizeOf(rowGroup.deletedRows(), _ -> DELETED_ROWS_SIZE) +
                estimatedSizeOf(rowGroup.partition(), value -> PARTITION_VALUE_SIZE + sizeOf(value.value(), SizeOf::sizeOf));
    }

    private static long of(ColumnGroupInstance columnGroup)
    {
        return COLUMN_GROUP_SIZE +
                estimatedSizeOf(columnGroup.columnIds(), SizeOf::sizeOf) +
                estimatedSizeOf(columnGroup.supersededIds(), SizeOf::sizeOf);
    }
}
