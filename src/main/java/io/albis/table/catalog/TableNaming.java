package io.albis.table.catalog;

import com.google.common.collect.ImmutableMap;
import io.albis.table.model.TableException;
import io.albis.table.model.TableName;
import io.albis.table.model.TableVersion;
import io.albis.table.name.EntryLog;
import io.albis.table.name.NameEntry;
import io.albis.table.name.TableEntry;
import io.albis.table.name.TableNameStorage;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.Commits;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.util.Optional;
import java.util.function.UnaryOperator;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static io.albis.table.model.TableOperation.DROP;
import static io.albis.table.model.TableOperation.UNREGISTER;
import static java.util.Objects.requireNonNull;

/**
 * Drops, renames, and unregisters tables. {@link Tables} describes what happens if a statement does not complete.
 */
public final class TableNaming
{
    private final SchemaKeys keys;
    private final Tables tables;
    private final TableNameStorage names;
    private final FolderLocations folders;
    private final Commits commits;
    private final PendingEntries pendingEntries;

    public TableNaming(SchemaKeys keys, Tables tables, TableNameStorage names, FolderLocations folders, Commits commits)
    {
        this.keys = requireNonNull(keys, "keys is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.names = requireNonNull(names, "names is null");
        this.folders = requireNonNull(folders, "folders is null");
        this.commits = requireNonNull(commits, "commits is null");
        this.pendingEntries = new PendingEntries(keys, tables, commits);
    }

    /**
     * Drops a table. Its files remain.
     *
     * @throws TableException TABLE_NOT_FOUND if the table no longer has its name; OUTCOME_UNKNOWN, CONFLICT
     */
    public void drop(AlbisTable table)
            throws IOException
    {
        drop(table, find(table));
    }

    /**
     * Drops a table of the schema that has a key.
     *
     * @throws TableException as {@link #drop(AlbisTable)}; TABLE_NOT_FOUND also if another schema has the name
     */
    public void drop(AlbisTable table, String schemaKey)
            throws IOException
    {
        Tables.Found found = find(table);
        if (!found.entry().schemaName().equals(schemaKey)) {
            throw notFound(table.schemaName(), table.tableName());
        }
        drop(table, found);
    }

    private void drop(AlbisTable table, Tables.Found found)
            throws IOException
    {
        TableEntry entry = found.entry();
        if (found.foreign()) {
            // The table belongs to another warehouse, so only its name in this warehouse is removed
            if (!names.end(entry.schemaName(), entry.tableName(), entry.number())) {
                throw notFound(table.schemaName(), table.tableName());
            }
            return;
        }
        end(table, found, next -> next.withName(Optional.empty()).withOperation(DROP, ImmutableMap.of()));
    }

    /**
     * Removes the name of a table, which can then be registered again.
     *
     * @throws TableException TABLE_NOT_FOUND if the table no longer has its name; NOT_SUPPORTED if it belongs to
     *         another warehouse; OUTCOME_UNKNOWN, CONFLICT
     */
    public void unregister(AlbisTable table)
            throws IOException
    {
        folders.checkWritable(table);
        Tables.Found found = find(table);
        if (found.foreign()) {
            throw new TableException(NOT_SUPPORTED, "Table '%s.%s' belongs to another warehouse. DROP TABLE removes its name in this one", table.schemaName(), table.tableName());
        }
        TableEntry entry = found.entry();
        end(table, found, next -> {
            // An entry of a RENAME that has not been completed may have the next generation
            long generation = Math.max(next.name().orElseThrow().generation(), entry.generation()) + 1;
            return next.unregister(entry.schemaName(), entry.tableName(), generation).withOperation(UNREGISTER, ImmutableMap.of());
        });
    }

    /**
     * Commits a version to which the name does not refer, and then ends the entry of the name.
     *
     * @param change changes the next version
     * @throws TableException TABLE_NOT_FOUND if the table no longer has the name; OUTCOME_UNKNOWN, CONFLICT
     */
    private void end(AlbisTable table, Tables.Found found, UnaryOperator<TableVersion> change)
            throws IOException
    {
        TableEntry entry = found.entry();
        commits.commit(found.storage().versions(), found.version().version(), next -> {
            TableName current = next.name().orElseThrow();
            if (!current.entry().equals(entry.id()) && current.generation() >= entry.generation()) {
                throw notFound(table.schemaName(), table.tableName());
            }
            return Optional.of(change.apply(next));
        });
        tables.endQuietly(entry);
        if (found.isPending()) {
            tables.endReplaced(entry);
        }
    }

    /**
     * Returns whether an entry is still the last one of a name. It is not if another schema has the name of the schema
     * now.
     */
    public boolean isLast(String schemaName, String tableName, NameEntry entry)
            throws IOException
    {
        return hasKey(schemaName, entry.schemaKey()) && names.last(entry.schemaKey(), tableName) == entry.number();
    }

    private boolean hasKey(String schemaName, String schemaKey)
            throws IOException
    {
        return keys.resolve(schemaName).map(ResolvedSchema::key).equals(Optional.of(schemaKey));
    }

    /**
     * Removes a name without reading the table to which it refers.
     *
     * @param entry the live entry to end; later entries of the name remain
     * @throws TableException TABLE_NOT_FOUND if another transaction has ended the entry or renamed the schema;
     *         OUTCOME_UNKNOWN
     */
    public void dropEntry(String schemaName, String tableName, NameEntry entry)
            throws IOException
    {
        checkArgument(EntryLog.isLive(entry.number()), "entry %s is a tombstone", entry.number());
        if (!hasKey(schemaName, entry.schemaKey()) || !names.end(entry.schemaKey(), tableName, entry.number())) {
            throw notFound(schemaName, tableName);
        }
    }

    /**
     * Renames a table, possibly to another schema. Its files remain where they are.
     *
     * @throws TableException SCHEMA_NOT_FOUND, TABLE_NOT_FOUND, ALREADY_EXISTS, NOT_SUPPORTED, CONFLICT,
     *         OUTCOME_UNKNOWN
     */
    public AlbisTable rename(AlbisTable table, String newSchemaName, String newTableName)
            throws IOException
    {
        folders.checkWritable(table);
        Tables.Found found = find(table);
        if (!found.isCurrent()) {
            throw notFound(table.schemaName(), table.tableName());
        }
        // Checked before the new entry exists, because a newer version of Albis would complete the RENAME
        Commits.checkWriterFeatures(found.version());
        ResolvedSchema newSchema = keys.resolve(newSchemaName)
                .orElseThrow(() -> Schemas.notFound(newSchemaName));
        TableName current = found.version().name().orElseThrow();
        TableEntry renamed = tables.claim(found.entry().renamed(newSchema.key(), newTableName, current.generation() + 1))
                .orElseThrow(() -> new TableException(ALREADY_EXISTS, "Table '%s.%s' already exists", newSchemaName, newTableName));
        TableEntry old = found.entry();
        TableName kept = new TableName(old.schemaName(), old.tableName(), old.id(), renamed.generation());
        TableVersion version = pendingEntries.complete(found.storage(), renamed, found.version(), next -> next.withName(Optional.of(kept)));
        tables.endQuietly(found.entry());
        return found.storage().table(newSchemaName, newTableName, version);
    }

    private Tables.Found find(AlbisTable table)
            throws IOException
    {
        ResolvedSchema schema = keys.resolve(table.schemaName())
                .orElseThrow(() -> notFound(table.schemaName(), table.tableName()));
        Tables.Found found = tables.find(schema.key(), table.tableName())
                .orElseThrow(() -> notFound(table.schemaName(), table.tableName()));
        Location folder = found.storage().folder();
        if (!found.entry().uuid().equals(table.uuid()) || !folder.equals(table.folder()) || found.isStale()) {
            throw notFound(table.schemaName(), table.tableName());
        }
        return found;
    }

    private static TableException notFound(String schemaName, String tableName)
    {
        return new TableException(TABLE_NOT_FOUND, "Table '%s.%s' was dropped, renamed, or replaced by another transaction", schemaName, tableName);
    }
}
