package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.manifest.ManifestPieces.Piece;
import io.albis.table.model.ManifestBounds;
import it.unimi.dsi.fastutil.ints.Int2IntMap;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;

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
    // the positions of the columns in the list by their ids; negative for other ids
    private final Int2IntMap positions;
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
        this.positions = new Int2IntOpenHashMap(columns.size());
        positions.defaultReturnValue(-1);
        for (int position = 0; position < columns.size(); position++) {
            positions.put(columns.get(position).id(), position);
        }
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
        addBounds(rowGroup);
    }

    /**
     * Adds the bounds of all columns. A row group finds the statistics of a column among those of all others. A lookup
     * of each column would take time with the square of their number.
     */
    private void addBounds(RowGroup rowGroup)
    {
        ColumnStatistics[] statistics = new ColumnStatistics[columns.size()];
        for (ColumnStatistics found : rowGroup.statistics()) {
            int position = positions.get(found.columnId());
            // the first ones count, as in a query
            if (position >= 0 && statistics[position] == null) {
                statistics[position] = found;
            }
        }
        boolean[] stored = new boolean[columns.size()];
        for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
            for (int columnId : columnGroup.columnIds()) {
                int position = positions.get(columnId);
                if (position >= 0) {
                    stored[position] = true;
                }
            }
        }
        for (int position = 0; position < statistics.length; position++) {
            bounds.get(position).add(statistics[position], stored[position], rowGroup.rows());
        }
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
