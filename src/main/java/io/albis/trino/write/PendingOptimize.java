package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.albis.format.metadata.RowGroup;
import io.albis.table.Warehouse;
import io.albis.table.optimize.OptimizePlan;
import io.albis.table.optimize.OptimizeUnit;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.ReadSet;
import io.albis.table.version.RowChange;
import io.albis.trino.handle.OptimizeHandle;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.model.TableOperation.OPTIMIZE;
import static java.util.Comparator.comparingInt;
import static java.util.Objects.requireNonNull;

/**
 * An ALTER TABLE EXECUTE optimize that has begun. Its commit removes the row groups of its plan and adds the new ones.
 * It fails if any row group of the plan is not exactly as it was read: the new ones would bring deleted rows or old
 * values back. Other changes of the table do not matter.
 */
final class PendingOptimize
        extends PendingWrite
{
    private final Warehouse warehouse;
    private final AlbisTable base;
    private final OptimizePlan plan;

    PendingOptimize(Warehouse warehouse, AbandonedFiles abandonedFiles, AlbisTable base, OptimizePlan plan, OptimizeHandle handle)
    {
        super(abandonedFiles, base.schemaName() + "." + base.tableName(), base.folder(), handle.target().writeId(), handle.retryMode());
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.base = requireNonNull(base, "base is null");
        this.plan = requireNonNull(plan, "plan is null");
    }

    OptimizePlan plan()
    {
        return plan;
    }

    /**
     * Returns what all units have written, in the order of the plan.
     *
     * @throws IllegalStateException if a unit is missing, is there twice, or has not written exactly its live rows
     */
    WrittenChanges collect(Collection<Slice> fragments)
    {
        List<OptimizedUnit> written = fragments.stream()
                .map(OptimizedUnit::decode)
                .sorted(comparingInt(OptimizedUnit::unit))
                .collect(toImmutableList());
        checkState(written.size() == plan.units().size(), "%s units of %s were written", written.size(), plan.units().size());
        ImmutableList.Builder<Slice> all = ImmutableList.builder();
        for (int i = 0; i < written.size(); i++) {
            OptimizedUnit unit = written.get(i);
            checkState(unit.unit() == i, "unit %s was written instead of unit %s", unit.unit(), i);
            checkRows(plan.units().get(i), WriteFragments.decode(unit.fragments()));
            all.addAll(unit.fragments());
        }
        return WriteFragments.decode(all.build());
    }

    private static void checkRows(OptimizeUnit unit, WrittenChanges changes)
    {
        long rows = 0;
        for (RowGroup rowGroup : changes.rows().rowGroups()) {
            rows += rowGroup.rows();
        }
        checkState(rows == unit.liveRows(), "%s rows were written instead of the %s live rows of %s row groups", rows, unit.liveRows(), unit.rowGroups().size());
    }

    @Override
    protected void commit(WrittenChanges changes, ReadSet readSet)
    {
        if (!plan.units().isEmpty()) {
            warehouse.change(base, new RowChange(changes.rows(), ImmutableMap.of(), plan.rowGroupIds(), OPTIMIZE), readSet);
        }
    }

    /**
     * Returns numbers by name, which the statement returns.
     */
    Map<String, Long> metrics(WrittenChanges changes)
    {
        long deleted = 0;
        for (OptimizeUnit unit : plan.units()) {
            for (RowGroup rowGroup : unit.rowGroups()) {
                deleted += rowGroup.rows() - rowGroup.liveRows();
            }
        }
        return ImmutableMap.of(
                "rewritten_row_groups_count", (long) plan.rowGroupIds().size(),
                "added_row_groups_count", (long) changes.rows().rowGroups().size(),
                "removed_deleted_rows_count", deleted);
    }
}
