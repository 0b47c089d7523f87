package io.albis.trino.statistics;

import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableColumn;
import io.albis.table.sketch.ColumnSketches;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.pushdown.PruningPredicate;
import io.albis.trino.relation.TableDescriptions;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.statistics.Estimate;
import io.trino.spi.statistics.TableStatistics;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.function.Function.identity;
import static java.util.stream.IntStream.range;

/**
 * Makes the table statistics for the optimizer without reading data files. Row counts, nulls, and bounds come from the
 * manifests and row groups that the predicate does not prune, see {@link SelectedRows}. The number of distinct values
 * comes from sketches of the manifests that the predicate does not prune. A sketch covers all manifests of a commit, so
 * it may count values of pruned ones too.
 */
public final class TableStatisticsReader
{
    private TableStatisticsReader() {}

    /**
     * Makes the estimate for a scan.
     *
     * @param enforced predicate that the reader enforces; the estimate is for the rows that match it
     * @param pruning predicate that, together with {@code enforced}, prunes row groups
     */
    public static TableEstimate read(AlbisTable table, TupleDomain<AlbisColumnHandle> enforced, TupleDomain<AlbisColumnHandle> pruning)
    {
        TupleDomain<AlbisColumnHandle> predicate = enforced.intersect(pruning);
        if (predicate.isNone()) {
            return new TableEstimate(() -> TableStatistics.builder().setRowCount(Estimate.zero()).build(), true);
        }
        TupleDomain<AlbisColumn> columnPredicate = PruningPredicate.of(predicate);
        ColumnSketches sketches = table.sketches(columnPredicate);
        SelectedRows selected = SelectedRows.of(table, columnPredicate, predicate.transformKeys(AlbisColumnHandle::toColumn));
        List<FilterEstimate> filters = filters(table.sketchedManifests(columnPredicate), () -> table.select(columnPredicate).rowGroups(), sketches, enforced);
        Optional<MatchingRows> matching = MatchingRows.of(selected.parts(), filters);
        MatchingRows rows = matching.orElseGet(() -> MatchingRows.all(selected.parts()));
        return new TableEstimate(() -> statistics(table, sketches, rows, selected.sampled()), matching.isPresent());
    }

    private static List<FilterEstimate> filters(List<ManifestEntry> sketched, Supplier<List<RowGroup>> rowGroups, ColumnSketches sketches, TupleDomain<AlbisColumnHandle> enforced)
    {
        return enforced.getDomains().orElseThrow().entrySet().stream()
                .map(entry -> new FilterEstimate(entry.getKey(), entry.getValue(), SketchSpan.of(entry.getKey(), sketched, rowGroups), sketches.get(entry.getKey().id())))
                .collect(toImmutableList());
    }

    private static TableStatistics statistics(AlbisTable table, ColumnSketches sketches, MatchingRows matching, List<ManifestEntry> sampled)
    {
        List<RowsStatistics> parts = matching.parts();
        List<FilterEstimate> filters = matching.filters();
        Map<Integer, ColumnEstimate> estimates = table.version().columns().stream()
                .collect(toImmutableMap(TableColumn::id, column -> new ColumnEstimate(column.type())));
        // those on parts of columns say nothing about the columns
        Map<Integer, double[]> nullsFractions = range(0, filters.size()).boxed()
                .filter(filter -> !filters.get(filter).isOfPart())
                .collect(toImmutableMap(filter -> filters.get(filter).columnId(), filter -> matching.nullsFractions()[filter]));
        List<AlbisColumn> withInitialValue = table.version().columns().stream()
                .filter(column -> column.initial().isPresent())
                .map(TableColumn::toAlbisColumn)
                .collect(toImmutableList());
        for (int i = 0; i < parts.size(); i++) {
            add(parts.get(i), i, matching.rows()[i], nullsFractions, estimates);
            addMissing(parts.get(i), matching.rows()[i], withInitialValue, estimates);
        }
        sampled.forEach(manifest -> widen(manifest, estimates));
        double matchingRows = matching.total();
        // if parts remain, their bounds do not prove that no row matches
        double rows = parts.isEmpty() ? 0 : max(matchingRows, 1);

        Map<Integer, FilterEstimate> filtersByColumn = filters.stream()
                .filter(filter -> !filter.isOfPart())
                .collect(toImmutableMap(FilterEstimate::columnId, identity()));
        TableStatistics.Builder statistics = TableStatistics.builder()
                .setRowCount(Estimate.of(rows));
        for (TableColumn column : table.version().columns()) {
            ColumnEstimate estimate = estimates.get(column.id());
            statistics.setColumnStatistics(
                    TableDescriptions.columnHandle(column),
                    estimate.finish(matchingRows, rows, sketches.get(column.id()), Optional.ofNullable(filtersByColumn.get(column.id()))));
        }
        return statistics.build();
    }

    /**
     * Adds columns with an initial value that a row group does not store.
     */
    private static void addMissing(RowsStatistics part, double rows, List<AlbisColumn> withInitialValue, Map<Integer, ColumnEstimate> estimates)
    {
        if (withInitialValue.isEmpty()) {
            return;
        }
        Set<Integer> stored = part.storedColumns();
        for (AlbisColumn column : withInitialValue) {
            if (!stored.contains(column.id())) {
                estimates.get(column.id()).add(ColumnStatistics.ofMissing(column, part.rows()), part.rows(), rows, 0);
            }
        }
    }

    private static void add(RowsStatistics part, int index, double rows, Map<Integer, double[]> nullsFractions, Map<Integer, ColumnEstimate> estimates)
    {
        Set<Integer> withoutStatistics = new HashSet<>(part.storedColumns());
        for (ColumnStatistics column : part.columns()) {
            withoutStatistics.remove(column.columnId());
            // null for a column that was dropped later
            ColumnEstimate estimate = estimates.get(column.columnId());
            if (estimate != null) {
                double[] filtered = nullsFractions.get(column.columnId());
                double nullsFraction = filtered == null ? min((double) column.nullCount() / part.rows(), 1) : filtered[index];
                estimate.add(column, part.rows(), rows, nullsFraction);
            }
        }
        for (int columnId : withoutStatistics) {
            ColumnEstimate estimate = estimates.get(columnId);
            if (estimate != null) {
                estimate.addUnknown(rows);
            }
        }
    }

    /**
     * Adds the bounds of a manifest of which only some row groups were added.
     */
    private static void widen(ManifestEntry manifest, Map<Integer, ColumnEstimate> estimates)
    {
        for (ColumnStatistics column : manifest.bounds().columns()) {
            ColumnEstimate estimate = estimates.get(column.columnId());
            if (estimate != null) {
                estimate.widen(column, manifest.rows());
            }
        }
    }
}
