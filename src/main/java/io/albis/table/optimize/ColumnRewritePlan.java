package io.albis.table.optimize;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.update.RewritePlan;
import io.albis.table.partition.RowGroupPredicate;
import io.albis.table.version.AlbisTable;
import io.trino.spi.predicate.TupleDomain;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Chooses the row groups some of whose columns a procedure writes again. It leaves out the others, so a statement that
 * is run again continues where the last one failed.
 */
public final class ColumnRewritePlan
{
    // A unit is one split, which names all its row groups and their column groups
    private static final int MAX_ROW_GROUPS = 1000;
    private static final int MAX_COLUMN_GROUPS = 10_000;

    private ColumnRewritePlan() {}

    /**
     * Creates the plan for the row groups of a table whose bounds and partitions do not exclude a predicate.
     * Neighboring row groups are in one unit up to a size, because one thread processes each unit.
     *
     * @param maxUnitBytes estimated size of the columns that one unit writes
     * @param planner plans which columns of a row group are written again
     */
    public static OptimizePlan of(AlbisTable table, TupleDomain<AlbisColumn> predicate, long maxUnitBytes, Function<RowGroup, RewritePlan> planner)
    {
        if (predicate.isNone()) {
            return new OptimizePlan(ImmutableList.of());
        }
        RowGroupPredicate matching = new RowGroupPredicate(predicate);
        List<RowGroup> selected = new ArrayList<>();
        for (RowGroup rowGroup : table.select(predicate).rowGroups()) {
            if (matching.overlaps(rowGroup)) {
                selected.add(rowGroup);
            }
        }
        return of(selected, maxUnitBytes, planner);
    }

    static OptimizePlan of(List<RowGroup> rowGroups, long maxUnitBytes, Function<RowGroup, RewritePlan> planner)
    {
        ImmutableList.Builder<RewriteUnit> units = ImmutableList.builder();
        List<RowGroup> unit = new ArrayList<>();
        long bytes = 0;
        int columnGroups = 0;
        for (RowGroup rowGroup : rowGroups) {
            RewritePlan plan = planner.apply(rowGroup);
            if (plan.columnGroups().isEmpty()) {
                continue;
            }
            boolean full = bytes + plan.bytes() > maxUnitBytes || unit.size() == MAX_ROW_GROUPS || columnGroups >= MAX_COLUMN_GROUPS;
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
