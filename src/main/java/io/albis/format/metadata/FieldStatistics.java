package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.format.statistics.ColumnStatistics;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The statistics of a scalar field of a nested column to which only rows lead. Each row of the table has one value of
 * such a field, which is null if a row above it is null.
 *
 * @param column index of the column in its column group
 * @param node number of the node of the field; that of the column is 0
 * @param segments the statistics of each segment, with the id of the column
 * @param runBounds the encoded bounds of the runs of all segments, if they are stored
 */
public record FieldStatistics(int column, int node, List<ColumnStatistics> segments, Optional<Slice> runBounds)
{
    public FieldStatistics
    {
        segments = ImmutableList.copyOf(segments);
        requireNonNull(runBounds, "runBounds is null");
    }
}
