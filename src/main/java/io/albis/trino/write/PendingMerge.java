package io.albis.trino.write;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.airlift.log.Logger;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.table.Warehouse;
import io.albis.table.row.ReadSet;
import io.albis.table.row.RowChange;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.ManifestSelection;
import io.albis.trino.fragment.RowGroupDeletes;
import io.albis.trino.fragment.WrittenChanges;
import io.albis.trino.handle.AlbisMergeTableHandle;
import io.albis.trino.handle.AlbisMergeTableHandle.Kind;
import io.albis.trino.pushdown.PruningPredicate;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.connector.RetryMode;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.table.model.TableOperation.DELETE;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static io.albis.trino.error.AlbisErrors.translate;
import static java.util.Objects.requireNonNull;

/**
 * A row-level DELETE, UPDATE, or MERGE that has begun.
 */
final class PendingMerge
        extends PendingWrite
{
    private static final Logger log = Logger.get(PendingMerge.class);

    private final Warehouse warehouse;
    private final TableLoader tables;
    private final AbandonedFiles abandonedFiles;
    private final AlbisTable base;
    private final AlbisMergeTableHandle handle;

    // the row groups that the statement has changed, once they are known
    private Optional<Set<UUID>> changedRowGroups = Optional.empty();

    PendingMerge(Warehouse warehouse, TableLoader tables, AbandonedFiles abandonedFiles, AlbisTable base, AlbisMergeTableHandle handle, RetryMode retryMode)
    {
        super(abandonedFiles, base.schemaName() + "." + base.tableName(), base.folder(), handle.target().writeId(), retryMode);
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.abandonedFiles = requireNonNull(abandonedFiles, "abandonedFiles is null");
        this.base = requireNonNull(base, "base is null");
        this.handle = requireNonNull(handle, "handle is null");
    }

    /**
     * Checks that each row group was changed by one sink, and that it has exactly its earlier and its newly deleted
     * rows. A sink that did not know the earlier ones would bring their rows back.
     */
    @Override
    protected void check(WrittenChanges changes)
    {
        // fails if a row group was changed by several sinks
        // first those that have new column groups, because other attempts have most likely written some of them too
        Set<UUID> changed = Sets.union(changes.rewrittenById().keySet(), changes.deletesByRowGroup().keySet());
        changedRowGroups = Optional.of(ImmutableSet.copyOf(changed));
        if (changed.isEmpty()) {
            return;
        }
        ManifestSelection read = translate(() -> base.select(PruningPredicate.of(handle.tableHandle().predicate())));
        Map<UUID, Long> earlier = read.rowGroups().stream()
                .collect(toImmutableMap(RowGroup::id, rowGroup -> rowGroup.deletedRows().map(DeletedRows::count).orElse(0L)));
        for (UUID rowGroup : changed) {
            checkState(earlier.containsKey(rowGroup), "row group %s is not in the version that the statement read", rowGroup);
        }
        for (RowGroupDeletes delete : changes.deletes()) {
            Long count = earlier.get(delete.rowGroup());
            checkState(delete.deletedRows().count() == count + delete.added(), "row group %s had %s deleted rows, and %s more were deleted, but its file has %s", delete.rowGroup(), count, delete.added(), delete.deletedRows().count());
        }
    }

    @Override
    protected ReadSet complete(ReadSet readSet)
    {
        return ReadSets.complete(readSet, tables, base);
    }

    @Override
    protected void commit(WrittenChanges changes, ReadSet readSet)
    {
        if (changes.isEmpty()) {
            return;
        }
        RowChange change = new RowChange(changes.rows(), changes.deletesByRowGroup(), ImmutableSet.of(), changes.rewritten(), handle.kind() == Kind.DELETE ? DELETE : OVERWRITE)
                .withUpdatedColumns(handle.updates().columns());
        warehouse.change(base, change, readSet);
    }

    @Override
    protected void removeAllBut(Set<UUID> committed)
    {
        super.removeAllBut(committed);
        abandonedFiles.removeDeletes(base.folder(), handle.target().writeId(), committed);
        if (handle.updates().canRewrite()) {
            abandonedFiles.removeColumnGroups(base.folder(), handle.target().writeId(), searchedRowGroups(), committed);
        }
    }

    /**
     * Returns the row groups that may have new column groups. All attempts of a task update the same row groups.
     */
    private Set<UUID> searchedRowGroups()
    {
        try {
            return changedRowGroups.orElseGet(this::readRowGroups);
        }
        catch (RuntimeException e) {
            // not thrown: the files belong to no table, and there may be others to remove
            log.warn(e, "Cannot find the row groups of %s.%s that may have files that no table refers to", base.schemaName(), base.tableName());
            return ImmutableSet.of();
        }
    }

    private Set<UUID> readRowGroups()
    {
        return translate(() -> base.select(PruningPredicate.of(handle.tableHandle().predicate()))).rowGroups().stream()
                .map(RowGroup::id)
                .collect(toImmutableSet());
    }
}
