package io.albis.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Maps;
import io.albis.format.AlbisColumn;
import io.albis.format.metadata.ColumnStatistics;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.table.AlbisTable;
import io.albis.table.TableColumn;
import io.albis.table.sketch.ColumnSketches;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.statistics.Estimate;
import io.trino.spi.statistics.TableStatistics;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.albis.trino.FilterPushdown.PRUNING_RANGES;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.lang.Math.pow;

/**
 * What the optimizer may know of a table without reading its data: rows, nulls and bounds from the row groups that the
 * predicate leaves, and how many different values there are from sketches of the whole table.
 */
final class TableStatisticsReader
{
    // Conditions on several columns are seldom independent of each other. The default of the optimizer
    // (OptimizerConfig), for estimates that it compares with these
    private static final double INDEPENDENCE = 0.75;

    private TableStatisticsReader() {}

    /**
     * @param enforced says which rows count
     * @param pruning says which row groups count, with {@code enforced}
     */
    public static TableEstimate read(AlbisTable table, TupleDomain<AlbisColumnHandle> enforced, TupleDomain<AlbisColumnHandle> pruning)
    {
        TupleDomain<AlbisColumnHandle> predicate = enforced.intersect(pruning);
        if (predicate.isNone()) {
            return new TableEstimate(TableStatistics.builder().setRowCount(Estimate.zero()).build(), true);
        }
        TupleDomain<AlbisColumn> columnPredicate = predicate
                .simplify(PRUNING_RANGES)
                .transformKeys(AlbisColumnHandle::toColumn);
        List<RowGroup> rowGroups = table.rowGroups().stream()
                .filter(rowGroup -> columnPredicate.isAll() || StatisticsDomains.overlaps(rowGroup, columnPredicate))
                .collect(toImmutableList());
        List<FilterEstimate> filters = filters(table, enforced);
        Optional<TableStatistics> statistics = statistics(table, rowGroups, filters);
        if (statistics.isPresent()) {
            return new TableEstimate(statistics.get(), true);
        }
        return new TableEstimate(statistics(table, rowGroups, ImmutableList.of()).orElseThrow(), false);
    }

    private static List<FilterEstimate> filters(AlbisTable table, TupleDomain<AlbisColumnHandle> enforced)
    {
        ColumnSketches sketches = table.sketches();
        return enforced.getDomains().orElseThrow().entrySet().stream()
                .map(entry -> new FilterEstimate(entry.getKey(), entry.getValue(), table.rowGroups(), sketches.get(entry.getKey().id())))
                .collect(toImmutableList());
    }

    /**
     * @return empty if nobody knows how many rows match
     */
    private static Optional<TableStatistics> statistics(AlbisTable table, List<RowGroup> rowGroups, List<FilterEstimate> filters)
    {
        Map<Integer, ColumnEstimate> estimates = table.version().columns().stream()
                .collect(toImmutableMap(TableColumn::id, column -> new ColumnEstimate(column.type())));
        double matchingRows = 0;
        for (RowGroup rowGroup : rowGroups) {
            Map<Integer, FilterEstimate.Share> shares = filters.stream()
                    .collect(toImmutableMap(FilterEstimate::columnId, filter -> filter.share(rowGroup)));
            double matching = rowGroup.rows() * conjunction(shares.values());
            if (Double.isNaN(matching)) {
                return Optional.empty();
            }
            matchingRows += matching;
            add(rowGroup, matching, shares, estimates);
        }
        // where there are row groups, their bounds do not say that no row matches
        double rows = rowGroups.isEmpty() ? 0 : max(matchingRows, 1);

        Map<Integer, FilterEstimate> filtersByColumn = Maps.uniqueIndex(filters, FilterEstimate::columnId);
        ColumnSketches sketches = table.sketches();
        TableStatistics.Builder statistics = TableStatistics.builder()
                .setRowCount(Estimate.of(rows));
        for (TableColumn column : table.version().columns()) {
            ColumnEstimate estimate = estimates.get(column.id());
            statistics.setColumnStatistics(
                    TableDescriptions.columnHandle(column),
                    estimate.finish(matchingRows, rows, sketches.get(column.id()), Optional.ofNullable(filtersByColumn.get(column.id()))));
        }
        return Optional.of(statistics.build());
    }

    private static double conjunction(Collection<FilterEstimate.Share> shares)
    {
        double[] sorted = shares.stream()
                .mapToDouble(FilterEstimate.Share::rows)
                .sorted()
                .toArray();
        double share = 1;
        double exponent = 1;
        for (double next : sorted) {
            share *= pow(next, exponent);
            exponent *= INDEPENDENCE;
        }
        return share;
    }

    private static void add(RowGroup rowGroup, double rows, Map<Integer, FilterEstimate.Share> shares, Map<Integer, ColumnEstimate> estimates)
    {
        Set<Integer> withoutStatistics = new HashSet<>(rowGroup.columnIds());
        for (ColumnStatistics column : rowGroup.statistics()) {
            withoutStatistics.remove(column.columnId());
            // a column that was dropped since is not there
            ColumnEstimate estimate = estimates.get(column.columnId());
            if (estimate != null) {
                FilterEstimate.Share share = shares.get(column.columnId());
                double nullsFraction = share == null ? min((double) column.nullCount() / rowGroup.rows(), 1) : share.nullsFraction();
                estimate.add(column, rowGroup.rows(), rows, nullsFraction);
            }
        }
        for (int columnId : withoutStatistics) {
            ColumnEstimate estimate = estimates.get(columnId);
            if (estimate != null) {
                estimate.addUnknown(rows);
            }
        }
    }
}
