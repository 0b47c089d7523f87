package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.manifest.ManifestPieces.Piece;
import io.albis.table.model.ManifestBounds;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.metadata.RowGroup.UNKNOWN_VERSION;
import static java.util.Objects.requireNonNull;

/**
 * Summarizes the row groups of one manifest for the version that refers to it.
 */
final class PieceSummary
{
    private final List<AlbisColumn> columns;
    private final List<ColumnBoundsMerger> bounds;

    private int rowGroups;
    private long rows;
    private long liveRows;
    private long bytes;
    private long firstVersion = Long.MAX_VALUE;
    private long lastVersion;
    private boolean hasNew;

    /**
     * Creates a summary of no row groups.
     *
     * @param columns columns of the table
     */
    PieceSummary(List<AlbisColumn> columns)
    {
        this.columns = requireNonNull(columns, "columns is null");
        this.bounds = columns.stream()
                .map(ColumnBoundsMerger::new)
                .collect(toImmutableList());
    }

    void add(RowGroup rowGroup)
    {
        rowGroups++;
        rows += rowGroup.rows();
        liveRows += rowGroup.liveRows();
        bytes += rowGroup.bytes();
        if (rowGroup.addedVersion() == UNKNOWN_VERSION) {
            hasNew = true;
        }
        else {
            firstVersion = Math.min(firstVersion, rowGroup.addedVersion());
            lastVersion = Math.max(lastVersion, rowGroup.addedVersion());
        }
        bounds.forEach(column -> column.add(rowGroup));
    }

    /**
     * Returns the body with the summary of the row groups.
     *
     * @return the summary of at least one row group
     */
    Piece finish(Slice body)
    {
        ImmutableList.Builder<ColumnStatistics> known = ImmutableList.builderWithExpectedSize(columns.size());
        bounds.forEach(column -> column.finish().ifPresent(known::add));
        return new Piece(body, rowGroups, rows, liveRows, bytes, firstVersion, lastVersion, hasNew, ManifestBounds.of(known.build()));
    }
}
