package io.albis.trino.relation;

import io.albis.table.Warehouse;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisTableHandle;
import io.trino.filesystem.Location;
import io.trino.spi.connector.SchemaTableName;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import static io.albis.trino.error.AlbisErrors.translate;
import static java.util.Objects.requireNonNull;

/**
 * Loads the tables of one transaction, each once: whatever others commit meanwhile, a query sees one version.
 */
public class TableLoader
{
    private final Warehouse warehouse;
    private final ConcurrentMap<SchemaTableName, Optional<AlbisTable>> tables = new ConcurrentHashMap<>();

    public TableLoader(Warehouse warehouse)
    {
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
    }

    public Optional<AlbisTable> find(SchemaTableName name)
    {
        Optional<AlbisTable> known = tables.get(name);
        if (known != null) {
            return known;
        }
        // not within computeIfAbsent, which would let other tables wait for this one
        Optional<AlbisTable> loaded = read(name);
        known = tables.putIfAbsent(name, loaded);
        return known == null ? loaded : known;
    }

    /**
     * As {@link #find}, for a listing of many tables: a table that is read only for it is not kept.
     */
    public Optional<AlbisTable> glance(SchemaTableName name)
    {
        Optional<AlbisTable> known = tables.get(name);
        return known == null ? read(name) : known;
    }

    private Optional<AlbisTable> read(SchemaTableName name)
    {
        return translate(() -> warehouse.loadTable(name.getSchemaName(), name.getTableName()));
    }

    public AlbisTable load(AlbisTableHandle handle)
    {
        Optional<AlbisTable> table = tables.getOrDefault(handle.schemaTableName(), Optional.empty());
        if (table.isPresent() && table.get().uuid().equals(handle.tableId()) && table.get().version().version() == handle.version()) {
            return table.get();
        }
        // the handle is of another transaction
        return translate(() -> warehouse.loadTableVersion(
                handle.schemaName(),
                handle.tableName(),
                Location.of(handle.folder()),
                handle.tableId(),
                handle.version()));
    }

    /**
     * To be called after a change that this transaction made.
     */
    public void forget(SchemaTableName name)
    {
        tables.remove(name);
    }
}
