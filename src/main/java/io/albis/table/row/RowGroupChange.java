package io.albis.table.row;

import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/**
 * A row group before and after a commit that has changed it. A row that is in both, but has other values, was updated
 * in place.
 *
 * @param before empty if the commit has added the row group
 * @param after empty if the commit has removed the row group
 * @param rewritten ids of the columns that are read from other files than before; empty unless the row group exists
 *         before and after
 */
public record RowGroupChange(Optional<RowGroup> before, Optional<RowGroup> after, Set<Integer> rewritten)
{
    public RowGroupChange
    {
        requireNonNull(before, "before is null");
        requireNonNull(after, "after is null");
        rewritten = ImmutableSet.copyOf(rewritten);
        checkArgument(before.isPresent() || after.isPresent(), "there is no row group");
        checkArgument((before.isPresent() && after.isPresent()) || rewritten.isEmpty(), "a row group that was added or removed has rewritten columns");
    }

    static RowGroupChange added(RowGroup rowGroup)
    {
        return new RowGroupChange(Optional.empty(), Optional.of(rowGroup), ImmutableSet.of());
    }

    static RowGroupChange removed(RowGroup rowGroup)
    {
        return new RowGroupChange(Optional.of(rowGroup), Optional.empty(), ImmutableSet.of());
    }

    /**
     * Compares two entries of a row group.
     *
     * @param columnIds ids of the columns that matter
     * @return empty if the rows and their values in these columns are the same
     */
    static Optional<RowGroupChange> between(RowGroup before, RowGroup after, Set<Integer> columnIds)
    {
        Set<Integer> rewritten = columnIds.stream()
                .filter(columnId -> !instance(before, columnId).equals(instance(after, columnId)))
                .collect(toImmutableSet());
        if (rewritten.isEmpty() && before.deletedRows().equals(after.deletedRows())) {
            return Optional.empty();
        }
        return Optional.of(new RowGroupChange(Optional.of(before), Optional.of(after), rewritten));
    }

    private static Optional<UUID> instance(RowGroup rowGroup, int columnId)
    {
        return rowGroup.columnGroup(columnId).map(ColumnGroupInstance::id);
    }
}
