package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.Warehouse;
import io.albis.table.partition.RowGroupPredicate;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.pushdown.PruningPredicate;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.error.AlbisErrors.translateAction;
import static java.util.Objects.requireNonNull;

/**
 * Deletes whole row groups. This changes only metadata and reads no rows.
 */
public class WholeRowGroupDeletes
{
    private final Warehouse warehouse;
    private final TableLoader tables;

    public WholeRowGroupDeletes(Warehouse warehouse, TableLoader tables)
    {
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.tables = requireNonNull(tables, "tables is null");
    }

    /**
     * Returns whether the rows that match the predicate of a handle are all rows of some row groups, according to the
     * bounds and the partitions.
     */
    public boolean isPossible(AlbisTableHandle handle)
    {
        return translate(() -> matching(tables.load(handle), handle)).isPresent();
    }

    /**
     * Deletes the rows that match the predicate of a handle.
     *
     * @param handle a handle for which {@link #isPossible} is true
     * @return the number of rows that were deleted, which others have not deleted before
     */
    public long execute(AlbisTableHandle handle)
    {
        AlbisTable table = tables.load(handle);
        Set<UUID> matching = translate(() -> matching(table, handle)).orElseThrow().stream()
                .map(RowGroup::id)
                .collect(toImmutableSet());
        if (matching.isEmpty()) {
            return 0;
        }
        // The plan of the statement has no scan of the table, but the predicate may come from one that metadata has
        // answered, as in DELETE FROM t WHERE k = (SELECT max(k) FROM t). The optimizer of Trino 483 keeps a join with
        // such a scan, and the statement then deletes single rows. This must not be what makes the statement
        // serializable
        ReadSet readSet = ReadSets.complete(ReadSets.ofDelete(handle, tables.sources(ImmutableList.of(handle))), tables, table);
        long deleted = translate(() -> warehouse.removeRowGroups(table, matching, readSet));
        tables.forget(handle.schemaTableName());
        return deleted;
    }

    /**
     * Deletes all rows of a table.
     */
    public void truncate(AlbisTableHandle handle)
    {
        AlbisTable table = tables.load(handle);
        translateAction(() -> warehouse.truncate(table));
        tables.forget(handle.schemaTableName());
    }

    /**
     * Returns the row groups whose rows all match, or empty if a row group may have rows that match and rows that do
     * not.
     */
    private static Optional<List<RowGroup>> matching(AlbisTable table, AlbisTableHandle handle)
    {
        if (!handle.enforcesAll() || !handle.returnsAllRows()) {
            // the engine has not evaluated this part of the predicate yet, or has not chosen among the rows
            return Optional.empty();
        }
        TupleDomain<AlbisColumn> predicate = handle.enforced().transformKeys(AlbisColumnHandle::toColumn);
        RowGroupPredicate matched = new RowGroupPredicate(predicate);
        ImmutableList.Builder<RowGroup> matching = ImmutableList.builder();
        for (RowGroup rowGroup : table.select(PruningPredicate.of(handle.enforced())).rowGroups()) {
            if (!matched.overlaps(rowGroup)) {
                continue;
            }
            if (!matched.containsAll(rowGroup)) {
                return Optional.empty();
            }
            matching.add(rowGroup);
        }
        return Optional.of(matching.build());
    }
}
