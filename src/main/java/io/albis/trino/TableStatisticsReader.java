package io.albis.trino;

import io.albis.format.AlbisColumn;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.table.AlbisTable;
import io.albis.table.TableColumn;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.statistics.Estimate;
import io.trino.spi.statistics.TableStatistics;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.FilterPushdown.PRUNING_RANGES;

/**
 * What the optimizer may know of a table without reading its data: exact row counts, nulls and bounds from the row groups that the
 * predicate leaves.
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
        long rows = 0;
        for (RowGroup rowGroup : rowGroups) {
            rows += rowGroup.rows();
        }

        TableStatistics.Builder statistics = TableStatistics.builder()
                .setRowCount(Estimate.of(rows));
        for (TableColumn column : table.version().columns()) {
            ColumnEstimate estimate = new ColumnEstimate(column.toAlbisColumn());
            for (RowGroup rowGroup : rowGroups) {
                estimate.add(rowGroup);
            }
            statistics.setColumnStatistics(TableDescriptions.columnHandle(column), estimate.finish());
        }
        return statistics.build();
    }
}
