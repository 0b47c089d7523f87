package io.albis.trino.metadata;

import io.albis.table.model.IndexedColumns;
import io.albis.table.model.TableVersion;
import io.albis.table.name.NameEntry;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.RewriteHandle;
import io.albis.trino.relation.StorageTables;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableVersion;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.predicate.TupleDomain;

import java.util.Optional;

import static io.albis.trino.config.AlbisSessionProperties.isIndexEnabled;
import static io.albis.trino.error.AlbisErrors.isDamaged;
import static io.albis.trino.error.AlbisErrors.isStorageFailure;
import static io.albis.trino.error.AlbisErrors.unreadableEntry;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;

/**
 * Creates the handles of tables. A table that cannot be loaded has a handle, too, with which it can only be dropped.
 */
class TableHandles
{
    private final TableLoader tables;

    public TableHandles(TableLoader tables)
    {
        this.tables = requireNonNull(tables, "tables is null");
    }

    /**
     * Returns the handle of a table, or empty if there is no such table.
     */
    public Optional<ConnectorTableHandle> find(ConnectorSession session, SchemaTableName tableName)
    {
        try {
            if (StorageTables.isStorage(tableName)) {
                // the rows change only by a refresh
                return tables.findStorage(tableName).map(view -> handle(session, tableName, view).asChosen());
            }
            return tables.find(tableName).map(table -> handle(session, table));
        }
        catch (TrinoException e) {
            Optional<NameEntry> entry = unreadableEntry(e);
            // DROP TABLE needs a handle for a table that cannot be loaded. If the name has no entry, the failure is
            // thrown: CREATE TABLE IF NOT EXISTS must not mistake it for a table
            if (entry.isPresent() && (isDamaged(e) || isStorageFailure(e))) {
                return Optional.of(new DamagedTableHandle(tableName, entry.get(), e));
            }
            throw e;
        }
    }

    /**
     * Returns the handle of the version that a query names, or empty if there is no such table.
     *
     * @throws TrinoException with code INVALID_ARGUMENTS if the table has no such version, or NOT_SUPPORTED if the type
     *         of the version is not supported
     */
    public Optional<ConnectorTableHandle> find(ConnectorSession session, SchemaTableName tableName, ConnectorTableVersion version)
    {
        return tables.find(tableName).map(table -> {
            TableVersion found = TimeTravel.find(session, tables.history(table), version);
            AlbisTableHandle handle = handle(session, tables.at(table, found));
            // another commit would have changed what such a query reads, as if it named no version
            boolean newest = found.version() == table.version().version() && !TimeTravel.isNumber(version);
            return newest ? handle : handle.asChosen();
        });
    }

    private static AlbisTableHandle handle(ConnectorSession session, AlbisTable table)
    {
        return handle(session, new SchemaTableName(table.schemaName(), table.tableName()), table);
    }

    private static AlbisTableHandle handle(ConnectorSession session, SchemaTableName name, AlbisTable table)
    {
        AlbisTableHandle handle = new AlbisTableHandle(
                name.getSchemaName(),
                name.getTableName(),
                table.uuid(),
                table.folder().toString(),
                table.version().version(),
                TupleDomain.all(),
                TupleDomain.all())
                .withBounded(table.columnsWithBounds());
        return isIndexEnabled(session) ? handle.withIndexed(IndexedColumns.of(table.version().properties())) : handle;
    }

    /**
     * Returns the handle of a table that was loaded.
     *
     * @throws TrinoException with code ALBIS_BAD_DATA or ALBIS_FILESYSTEM_ERROR if the table could not be loaded
     */
    public static AlbisTableHandle readable(ConnectorTableHandle table)
    {
        if (table instanceof DamagedTableHandle damaged) {
            throw damaged.reason();
        }
        if (table instanceof RewriteHandle rewrite) {
            return rewrite.table();
        }
        return (AlbisTableHandle) table;
    }

    /**
     * Returns the handle of a table that a statement changes.
     *
     * @throws TrinoException as {@link #readable}, or with code NOT_SUPPORTED if the handle is that of a version that
     *         the query names, or of the rows of a materialized view
     */
    public static AlbisTableHandle writable(ConnectorTableHandle table)
    {
        AlbisTableHandle handle = readable(table);
        SchemaTableName name = handle.schemaTableName();
        if (handle.chosen() && StorageTables.isStorage(name)) {
            throw new TrinoException(NOT_SUPPORTED, "The rows of a materialized view change only by REFRESH MATERIALIZED VIEW and DROP MATERIALIZED VIEW, so table '%s' cannot be changed".formatted(name));
        }
        if (handle.chosen()) {
            throw new TrinoException(NOT_SUPPORTED, "Version %s of table '%s' cannot be changed. Only the newest version of a table can".formatted(handle.version(), name));
        }
        return handle;
    }
}
