package io.albis.trino.handle;

import com.google.common.collect.ImmutableList;
import io.albis.table.model.PartitionField;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The buckets by which the engine distributes the row groups of a scan to nodes.
 *
 * @param columns the column of each function of the partitioning
 * @param fields the function of the table for each column. Its number of buckets is a multiple of that of the
 *         partitioning
 */
public record ScanBuckets(BucketPartitioning partitioning, List<AlbisColumnHandle> columns, List<PartitionField> fields)
{
    public ScanBuckets
    {
        requireNonNull(partitioning, "partitioning is null");
        columns = ImmutableList.copyOf(columns);
        fields = ImmutableList.copyOf(fields);
        int functions = partitioning.functions().size();
        checkArgument(columns.size() == functions && fields.size() == functions, "%s functions have %s columns and %s functions of the table", functions, columns.size(), fields.size());
    }
}
