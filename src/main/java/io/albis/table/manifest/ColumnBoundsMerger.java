package io.albis.table.manifest;

import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.StatisticsMerger;
import jakarta.annotation.Nullable;

import java.io.UncheckedIOException;
import java.util.Optional;

import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static java.util.Objects.requireNonNull;

/**
 * Merges the bounds of one column over the row groups of a manifest.
 */
final class ColumnBoundsMerger
{
    private final AlbisColumn column;
    private final StatisticsMerger merger;

    private boolean known = true;

    ColumnBoundsMerger(AlbisColumn column)
    {
        this.column = requireNonNull(column, "column is null");
        this.merger = new StatisticsMerger(column);
    }

    /**
     * Adds a row group.
     *
     * @param statistics statistics of the column, as the row group has them; null if it has none
     * @param stored whether the row group stores the column
     * @param rows number of rows of the row group
     */
    void add(@Nullable ColumnStatistics statistics, boolean stored, long rows)
    {
        if (!known) {
            return;
        }
        if (statistics != null) {
            append(statistics.forType(column.type()), rows);
        }
        else if (stored) {
            known = false;
        }
        else {
            append(ColumnStatistics.ofMissing(column, rows), rows);
        }
    }

    private void append(ColumnStatistics statistics, long rows)
    {
        try {
            merger.append(statistics, rows);
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException _) {
            // A damaged bound, which a query reports when it uses it
            known = false;
        }
    }

    /**
     * Returns the merged bounds.
     *
     * @return empty if nothing is known about the column in one of the row groups, or if a bound is damaged
     */
    Optional<ColumnStatistics> finish()
    {
        if (!known) {
            return Optional.empty();
        }
        ColumnStatistics merged = merger.finish();
        try {
            // The bounds of a single row group were not compared with others
            StatisticsDomains.toDomain(merged, column.type(), Long.MAX_VALUE);
        }
        catch (UncheckedIOException _) {
            return Optional.empty();
        }
        return Optional.of(new ColumnStatistics(merged.columnId(), merged.nullCount(), UNORDERED, merged.min(), merged.max()));
    }
}
