package io.albis.table;

import com.google.common.collect.ImmutableMap;
import io.albis.format.io.AlbisDataException;
import io.albis.table.alter.Change;
import io.albis.table.alter.NotNullConstraint;
import io.albis.table.catalog.FolderLocations;
import io.albis.table.catalog.Tables;
import io.albis.table.maintenance.Expiry;
import io.albis.table.maintenance.ExpiryResult;
import io.albis.table.maintenance.OrphanRemoval;
import io.albis.table.maintenance.OrphanRemovalResult;
import io.albis.table.model.Materialization.Refresh;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.put.StorageCalls.StorageCall;
import io.albis.table.row.ChangeRows;
import io.albis.table.row.IndexChange;
import io.albis.table.row.ReadSet;
import io.albis.table.row.RefreshRows;
import io.albis.table.row.Regrouping;
import io.albis.table.row.Replacement;
import io.albis.table.row.RowChange;
import io.albis.table.row.Truncation;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.Commits;
import io.albis.table.version.Rollback;
import io.albis.table.version.TableHistory;
import io.albis.table.version.TableStorage;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static io.albis.table.model.TableOperation.DELETE;
import static java.util.Objects.requireNonNull;

/**
 * The changes of existing tables that keep their names. Each of them first checks that this warehouse may change the
 * table, and then commits a version. {@link Warehouse} describes the methods.
 */
final class TableChanges
{
    private final Tables tables;
    private final FolderLocations folders;
    private final Commits commits;

    TableChanges(Tables tables, FolderLocations folders, Commits commits)
    {
        this.tables = requireNonNull(tables, "tables is null");
        this.folders = requireNonNull(folders, "folders is null");
        this.commits = requireNonNull(commits, "commits is null");
    }

    void checkWritable(AlbisTable table)
            throws IOException
    {
        Commits.checkWriterFeatures(table.version());
        folders.checkWritable(table);
    }

    AlbisTable change(AlbisTable base, RowChange change, ReadSet readSet)
            throws IOException
    {
        if (change.isEmpty()) {
            return base;
        }
        TableStorage storage = openWritable(base);
        return commit(storage, base, new ChangeRows(storage, base.version(), change, readSet));
    }

    long removeRowGroups(AlbisTable base, Set<UUID> rowGroups, ReadSet readSet)
            throws IOException
    {
        if (rowGroups.isEmpty()) {
            return 0;
        }
        TableStorage storage = openWritable(base);
        ChangeRows change = new ChangeRows(storage, base.version(), new RowChange(TableRows.NONE, ImmutableMap.of(), rowGroups, DELETE), readSet);
        commit(storage, base, change);
        return change.deletedRows();
    }

    AlbisTable regroup(AlbisTable base, List<TableColumnGroup> columnGroups, TableRows regrouped)
            throws IOException
    {
        TableStorage storage = openWritable(base);
        return commit(storage, base, new Regrouping(storage, base.version(), columnGroups, regrouped));
    }

    AlbisTable changeIndexes(AlbisTable base, Set<Integer> added, Set<Integer> dropped, TableRows rewritten)
            throws IOException
    {
        TableStorage storage = openWritable(base);
        return commit(storage, base, new IndexChange(storage, base.version(), added, dropped, rewritten));
    }

    AlbisTable truncate(AlbisTable base)
            throws IOException
    {
        return commit(openWritable(base), base, new Truncation());
    }

    AlbisTable rollback(AlbisTable base, long number)
            throws IOException
    {
        TableStorage storage = openWritable(base);
        // Refuses a number that is not that of a version
        unlessDropped(storage, base, () -> new TableHistory(storage, base).get(number));
        return commit(storage, base, new Rollback(storage, number));
    }

    AlbisTable replace(AlbisTable base, TableDefinition definition, TableRows rows, boolean baseWasRead)
            throws IOException
    {
        TableStorage storage = openWritable(base);
        return commit(storage, base, new Replacement(storage, base.version(), definition, rows, baseWasRead));
    }

    AlbisTable refresh(AlbisTable base, TableRows rows, Refresh refresh, boolean append)
            throws IOException
    {
        TableStorage storage = openWritable(base);
        return commit(storage, base, new RefreshRows(storage, base.version(), rows, refresh, append));
    }

    AlbisTable alter(AlbisTable base, Change change)
            throws IOException
    {
        return commit(openWritable(base), base, next -> Optional.of(change.apply(next)));
    }

    AlbisTable setNotNull(AlbisTable base, int columnId)
            throws IOException
    {
        TableStorage storage = openWritable(base);
        return commit(storage, base, new NotNullConstraint(storage, columnId));
    }

    ExpiryResult expireVersions(AlbisTable table, Instant replacedBefore, int retainLast)
            throws IOException
    {
        TableStorage storage = openWritable(table);
        return unlessDropped(storage, table, () -> new Expiry(commits, storage).run(table.version().version(), replacedBefore, retainLast));
    }

    OrphanRemovalResult removeOrphans(AlbisTable table, Instant writtenBefore)
            throws IOException
    {
        TableStorage storage = openWritable(table);
        return unlessDropped(storage, table, () -> new OrphanRemoval(commits, storage).run(table.version().version(), writtenBefore));
    }

    private TableStorage openWritable(AlbisTable table)
            throws IOException
    {
        folders.checkWritable(table);
        return tables.open(table.folder(), table.uuid());
    }

    private AlbisTable commit(TableStorage storage, AlbisTable base, Commits.Step step)
            throws IOException
    {
        TableVersion version = unlessDropped(storage, base, () -> commits.commit(storage.versions(), base.version().version(), step));
        return storage.table(base.schemaName(), base.tableName(), version);
    }

    /**
     * Runs a call that reads files of a table. They may be missing because vacuum has deleted the files of the table
     * after it was dropped, which is no damage.
     */
    private static <T> T unlessDropped(TableStorage storage, AlbisTable base, StorageCall<T> call)
            throws IOException
    {
        try {
            return call.call();
        }
        catch (AlbisDataException e) {
            if (storage.versions().newest(base.version().version()).name().isEmpty()) {
                throw new TableException(TABLE_NOT_FOUND, "The table was dropped by another transaction");
            }
            throw e;
        }
    }
}
