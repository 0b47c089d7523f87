package io.albis.table.row;

import com.google.common.collect.ImmutableList;

import java.time.Instant;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The row groups that a version of a table has changed.
 *
 * @param version number of the version
 * @param time time of its commit
 * @param ordinal number of earlier versions, among those that are compared, that have changed row groups
 * @param rowGroups at least one
 */
public record RowChanges(long version, Instant time, int ordinal, List<RowGroupChange> rowGroups)
{
    public RowChanges
    {
        requireNonNull(time, "time is null");
        rowGroups = ImmutableList.copyOf(rowGroups);
        checkArgument(!rowGroups.isEmpty(), "rowGroups is empty");
    }
}
