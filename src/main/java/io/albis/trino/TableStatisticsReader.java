package io.albis.trino;

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

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.albis.trino.FilterPushdown.PRUNING_RANGES;

/**
 * What the optimizer may know of a table without reading its data: exact row counts, nulls and bounds from the row groups that the
 * predicate leaves, and how many different values there are from sketches of the whole table.
 */
final class TableStatisticsReader
{
    private TableStatisticsReader() {}

    public static TableStatistics read(AlbisTable table, TupleDomain<AlbisColumnHandle> predicate)
    {
        if (predicate.isNone()) {
            return TableStatistics.builder().setRowCount(Estimate.zero()).build();
        }
        TupleDomain<AlbisColumn> columnPredicate = predicate
                .simplify(PRUNING_RANGES)
                .transformKeys(AlbisColumnHandle::toColumn);
        List<RowGroup> rowGroups = table.rowGroups().stream()
                .filter(rowGroup -> columnPredicate.isAll() || StatisticsDomains.overlaps(rowGroup, columnPredicate))
                .collect(toImmutableList());
        Map<Integer, ColumnEstimate> estimates = table.version().columns().stream()
                .collect(toImmutableMap(TableColumn::id, column -> new ColumnEstimate(column.type())));
        long rows = 0;
        for (RowGroup rowGroup : rowGroups) {
            rows += rowGroup.rows();
            add(rowGroup, estimates);
        }

        ColumnSketches sketches = table.sketches();
        TableStatistics.Builder statistics = TableStatistics.builder()
                .setRowCount(Estimate.of(rows));
        for (TableColumn column : table.version().columns()) {
            ColumnEstimate estimate = estimates.get(column.id());
            statistics.setColumnStatistics(TableDescriptions.columnHandle(column), estimate.finish(rows, sketches.get(column.id())));
        }
        return statistics.build();
    }

    private static void add(RowGroup rowGroup, Map<Integer, ColumnEstimate> estimates)
    {
        Set<Integer> withoutStatistics = new HashSet<>(rowGroup.columnIds());
        for (ColumnStatistics column : rowGroup.statistics()) {
            withoutStatistics.remove(column.columnId());
            // a column that was dropped since is not there
            ColumnEstimate estimate = estimates.get(column.columnId());
            if (estimate != null) {
                estimate.add(column, rowGroup.rows());
            }
        }
        for (int columnId : withoutStatistics) {
            ColumnEstimate estimate = estimates.get(columnId);
            if (estimate != null) {
                estimate.addUnknown(rowGroup.rows());
            }
        }
    }
}
