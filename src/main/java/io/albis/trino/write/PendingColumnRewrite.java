package io.albis.trino.write;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.update.RewritePlan;
import io.albis.table.Warehouse;
import io.albis.table.optimize.OptimizePlan;
import io.albis.table.optimize.RewriteUnit;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.albis.trino.fragment.WrittenChanges;
import io.albis.trino.handle.ColumnRewriteHandle;
import io.albis.trino.handle.IndexHandle;
import io.albis.trino.handle.RegroupHandle;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * An ALTER TABLE EXECUTE regroup, add_index, or drop_index that has begun. Its commit replaces column groups of the row
 * groups of its plan, and changes the column groups or the indexes of the table. The rows keep their addresses, so rows
 * that others delete at the same time do not matter.
 */
final class PendingColumnRewrite
        extends PendingRewrite
{
    private final Warehouse warehouse;
    private final AbandonedFiles abandonedFiles;
    private final AlbisTable base;
    private final ColumnRewriteHandle handle;
    private final Function<RowGroup, RewritePlan> planner;

    PendingColumnRewrite(Warehouse warehouse, AbandonedFiles abandonedFiles, AlbisTable base, OptimizePlan plan, ColumnRewriteHandle handle)
    {
        super(abandonedFiles, base, plan, handle);
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.abandonedFiles = requireNonNull(abandonedFiles, "abandonedFiles is null");
        this.base = requireNonNull(base, "base is null");
        this.handle = requireNonNull(handle, "handle is null");
        this.planner = handle.planner();
    }

    @Override
    protected void checkUnit(RewriteUnit unit, WrittenChanges changes)
    {
        checkState(changes.rows().isEmpty() && changes.deletes().isEmpty(), "a unit has written or deleted rows");
        // fails if a row group occurs twice
        Map<UUID, RowGroup> written = changes.rewrittenById();
        Map<UUID, RowGroup> planned = Maps.uniqueIndex(unit.rowGroups(), RowGroup::id);
        written.forEach((id, rowGroup) -> {
            checkState(planned.containsKey(id), "row group %s was written, which is not in its unit", id);
            checkState(planned.get(id).rows() == rowGroup.rows(), "%s rows of row group %s were written instead of %s", rowGroup.rows(), id, planned.get(id).rows());
            List<Integer> columns = plannedColumns(planned.get(id));
            checkState(rowGroup.columnIds().equals(columns), "columns %s of row group %s were written instead of %s", rowGroup.columnIds(), id, columns);
        });
    }

    private List<Integer> plannedColumns(RowGroup rowGroup)
    {
        return planner.apply(rowGroup).columnGroups().stream()
                .flatMap(group -> group.columns().stream())
                .map(AlbisColumn::id)
                .collect(toImmutableList());
    }

    @Override
    protected void commit(WrittenChanges changes, ReadSet readSet)
    {
        switch (handle) {
            case IndexHandle index when index.drop() -> warehouse.dropIndexes(base, index.columnIds(), changes.rewritten());
            case IndexHandle index -> warehouse.addIndexes(base, index.columnIds(), changes.rewritten());
            case RegroupHandle regroup -> warehouse.regroup(base, regroup.target().columnGroups(), changes.rewritten());
        }
    }

    /**
     * Removes new column groups of row groups that other writes have made.
     */
    @Override
    protected void removeAllBut(Set<UUID> committed)
    {
        abandonedFiles.removeColumnGroups(base.folder(), handle.target().writeId(), plan().rowGroupIds(), committed);
    }

    @Override
    Map<String, Long> metrics(WrittenChanges changes)
    {
        long written = changes.rewritten().rowGroups().size();
        long unchanged = plan().rowGroupIds().size() - written;
        long bytes = changes.rewritten().bytes();
        return switch (handle) {
            case IndexHandle index -> {
                long tooLarge = plan().units().stream()
                        .flatMap(unit -> unit.rowGroups().stream())
                        .filter(index::isTooLarge)
                        .count();
                yield ImmutableMap.of(
                        "written_row_groups_count", written,
                        "unchanged_row_groups_count", unchanged - tooLarge,
                        "too_large_row_groups_count", tooLarge,
                        "written_bytes", bytes);
            }
            case RegroupHandle _ -> ImmutableMap.of("regrouped_row_groups_count", written, "too_large_row_groups_count", unchanged, "written_bytes", bytes);
        };
    }
}
