package io.albis.table.optimize;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.update.RewritePlan;
import io.albis.format.write.WriterOptions;
import io.albis.table.version.AlbisTable;
import io.trino.spi.predicate.TupleDomain;

import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the row groups whose columns are not in the requested column groups. It leaves out the others, so a statement
 * that is run again continues where the last one failed.
 */
public final class RegroupPlan
{
    // A unit is one split, which names all its row groups and their column groups
    private static final int MAX_ROW_GROUPS = 1000;
    private static final int MAX_COLUMN_GROUPS = 10_000;

    private RegroupPlan() {}

    /**
     * Creates the plan for the row groups of a table whose bounds do not exclude a predicate. Neighboring row groups
     * are in one unit up to a size, because one thread processes each unit.
     *
     * @param schema the columns of the table in the new column groups
     * @param options options of the writer for these column groups
     * @param all whether row groups whose columns are already in these groups are written again, too
     */
    public static OptimizePlan of(AlbisTable table, TupleDomain<AlbisColumn> predicate, RowGroupSchema schema, WriterOptions options, boolean all)
    {
        if (predicate.isNone()) {
            return new OptimizePlan(ImmutableList.of());
        }
        List<RowGroup> selected = new ArrayList<>();
        for (RowGroup rowGroup : table.select(predicate).rowGroups()) {
            if (StatisticsDomains.overlaps(rowGroup, predicate)) {
                selected.add(rowGroup);
            }
        }
        return of(selected, schema, options, all);
    }

    static OptimizePlan of(List<RowGroup> rowGroups, RowGroupSchema schema, WriterOptions options, boolean all)
    {
        ImmutableList.Builder<RewriteUnit> units = ImmutableList.builder();
        List<RowGroup> unit = new ArrayList<>();
        long bytes = 0;
        int columnGroups = 0;
        for (RowGroup rowGroup : rowGroups) {
            RewritePlan plan = RewritePlan.ofGrouping(rowGroup, schema, options, all);
            if (plan.columnGroups().isEmpty()) {
                continue;
            }
            boolean full = bytes + plan.bytes() > options.rowGroupBytes() || unit.size() == MAX_ROW_GROUPS || columnGroups >= MAX_COLUMN_GROUPS;
            if (full && !unit.isEmpty()) {
                units.add(new RewriteUnit(unit));
                unit.clear();
                bytes = 0;
                columnGroups = 0;
            }
            unit.add(rowGroup);
            bytes += plan.bytes();
            columnGroups += rowGroup.columnGroups().size();
        }
        if (!unit.isEmpty()) {
            units.add(new RewriteUnit(unit));
        }
        return new OptimizePlan(units.build());
    }
}
