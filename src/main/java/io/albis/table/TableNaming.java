package io.albis.table;

import io.albis.format.AlbisDataException;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.util.Optional;

import static io.albis.table.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.TableException.Reason.CONFLICT;
import static io.albis.table.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.TableException.Reason.SCHEMA_NOT_FOUND;
import static io.albis.table.TableException.Reason.TABLE_NOT_FOUND;
import static java.util.Objects.requireNonNull;

/**
 * DROP and RENAME; {@link Tables} says what happens if they do not come to their end.
 */
final class TableNaming
{
    private final Schemas schemas;
    private final Tables tables;
    private final Commits commits;

    TableNaming(Schemas schemas, Tables tables, Commits commits)
    {
        this.schemas = requireNonNull(schemas, "schemas is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.commits = requireNonNull(commits, "commits is null");
    }

    void drop(AlbisTable table)
            throws IOException
    {
        Tables.Found found = find(table);
        PointerReference reference = found.pointer().reference();
        commits.commit(found.storage().versions(), found.version().version(), next -> {
            PointerReference current = next.pointer().orElseThrow();
            if (!current.id().equals(reference.id()) && current.generation() >= reference.generation()) {
                throw notFound(table);
            }
            return Optional.of(next.withPointer(Optional.empty()));
        });
        tables.removeQuietly(found.pointer());
    }

    /**
     * Takes a name away without looking at what it is the name of.
     */
    void dropDamaged(String schemaName, String tableName)
            throws IOException
    {
        tables.removeUnread(schemaName, tableName);
    }

    AlbisTable rename(AlbisTable table, String newSchemaName, String newTableName)
            throws IOException
    {
        Tables.Found found = find(table);
        if (!found.isCurrent()) {
            throw notFound(table);
        }
        if (!schemas.exists(newSchemaName)) {
            throw new TableException(SCHEMA_NOT_FOUND, "Schema '%s' does not exist", newSchemaName);
        }
        PointerReference current = found.version().pointer().orElseThrow();
        Pointer renamed = found.pointer().renamed(newSchemaName, newTableName, current.generation() + 1);
        if (!tables.claim(renamed)) {
            throw new TableException(ALREADY_EXISTS, "Table '%s.%s' already exists", newSchemaName, newTableName);
        }
        TableVersion version = completeRename(found, renamed);
        tables.removeQuietly(found.pointer());
        return found.storage().table(newSchemaName, newTableName, version);
    }

    private TableVersion completeRename(Tables.Found found, Pointer renamed)
            throws IOException
    {
        try {
            if (!schemas.exists(renamed.schemaName())) {
                cancelRename(found, renamed);
                throw new TableException(SCHEMA_NOT_FOUND, "Schema '%s' was dropped meanwhile", renamed.schemaName());
            }
            return tables.completeRename(found.storage(), renamed, found.version().version());
        }
        catch (TableException e) {
            if (e.reason() == CONFLICT || e.reason() == TABLE_NOT_FOUND) {
                // Another RENAME or DROP was first, so no version will ever speak of this pointer
                dropIfStale(found.storage(), renamed);
            }
            throw e;
        }
        catch (AlbisDataException e) {
            throw e;
        }
        catch (IOException e) {
            // The new name is there, and whoever looks it up completes what was begun here
            throw new TableException(OUTCOME_UNKNOWN, "The storage failed while table '%s.%s' was renamed to '%s.%s': it may have either name".formatted(
                    found.pointer().schemaName(), found.pointer().tableName(), renamed.schemaName(), renamed.tableName()), e);
        }
    }

    private void dropIfStale(TableStorage storage, Pointer renamed)
            throws IOException
    {
        TableVersion newest = storage.versions().newest(0);
        if (new Tables.Found(renamed, storage, newest).isStale()) {
            tables.removeQuietly(renamed);
        }
    }

    /**
     * Makes the new pointer stale before it is removed: somebody else may be completing the renaming right now.
     */
    private void cancelRename(Tables.Found found, Pointer renamed)
            throws IOException
    {
        PointerReference kept = new PointerReference(found.pointer().reference().id(), renamed.reference().generation());
        commits.commit(found.storage().versions(), found.version().version(), next -> {
            PointerReference current = next.pointer().orElseThrow();
            if (current.generation() >= kept.generation()) {
                throw new TableException(CONFLICT, "Schema '%s' was dropped while table '%s' was renamed into it: create the schema again to get at the table", renamed.schemaName(), renamed.tableName());
            }
            return Optional.of(next.withPointer(Optional.of(kept)));
        });
        tables.removeQuietly(renamed);
    }

    private Tables.Found find(AlbisTable table)
            throws IOException
    {
        Tables.Found found = tables.find(table.schemaName(), table.tableName())
                .orElseThrow(() -> notFound(table));
        Location folder = found.storage().folder();
        if (!found.pointer().uuid().equals(table.uuid()) || !folder.equals(table.folder()) || found.isStale()) {
            throw notFound(table);
        }
        return found;
    }

    private static TableException notFound(AlbisTable table)
    {
        return new TableException(TABLE_NOT_FOUND, "Table '%s.%s' was dropped, renamed or replaced meanwhile", table.schemaName(), table.tableName());
    }
}
