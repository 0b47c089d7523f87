package io.albis.trino.write;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.Warehouse;
import io.albis.table.model.SortColumn;
import io.albis.table.optimize.OptimizePlan;
import io.albis.table.optimize.RewriteUnit;
import io.albis.table.row.ReadSet;
import io.albis.table.row.RowChange;
import io.albis.table.version.AlbisTable;
import io.albis.trino.fragment.WrittenChanges;
import io.albis.trino.handle.OptimizeHandle;
import io.albis.trino.relation.SortFields;

import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkState;
import static io.albis.table.model.TableOperation.OPTIMIZE;
import static java.util.Objects.requireNonNull;

/**
 * An ALTER TABLE EXECUTE optimize that has begun. Its commit removes the row groups of its plan and adds the new ones.
 * It fails if any row group of the plan is not exactly as it was read: the new ones would bring deleted rows or old
 * values back. Other changes of the table do not matter.
 */
final class PendingOptimize
        extends PendingRewrite
{
    private final Warehouse warehouse;
    private final AlbisTable base;
    private final List<SortColumn> sortedBy;

    PendingOptimize(Warehouse warehouse, AbandonedFiles abandonedFiles, AlbisTable base, OptimizePlan plan, OptimizeHandle handle)
    {
        super(abandonedFiles, base, plan, handle);
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.base = requireNonNull(base, "base is null");
        this.sortedBy = handle.target().sortedBy();
    }

    @Override
    protected void checkUnit(RewriteUnit unit, WrittenChanges changes)
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
        if (!plan().units().isEmpty()) {
            RowChange change = new RowChange(changes.rows(), ImmutableMap.of(), plan().rowGroupIds(), OPTIMIZE);
            warehouse.change(base, change.withSummary(summary()), readSet);
        }
    }

    /**
     * Returns the order of the new row groups, which may be that of the procedure and not that of the table.
     */
    private Map<String, String> summary()
    {
        return sortedBy.isEmpty() ? ImmutableMap.of() : ImmutableMap.of("sorted-by", String.join(", ", SortFields.describe(sortedBy, base.version().columns())));
    }

    @Override
    Map<String, Long> metrics(WrittenChanges changes)
    {
        long deleted = 0;
        for (RewriteUnit unit : plan().units()) {
            for (RowGroup rowGroup : unit.rowGroups()) {
                deleted += rowGroup.rows() - rowGroup.liveRows();
            }
        }
        return ImmutableMap.of(
                "rewritten_row_groups_count", (long) plan().rowGroupIds().size(),
                "added_row_groups_count", (long) changes.rows().rowGroups().size(),
                "removed_deleted_rows_count", deleted);
    }
}
