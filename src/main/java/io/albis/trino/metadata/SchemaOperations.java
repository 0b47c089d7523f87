package io.albis.trino.metadata;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.airlift.log.Logger;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseViews.ListedName;
import io.albis.table.model.SchemaInfo;
import io.albis.table.name.NameEntry;
import io.albis.table.version.AlbisTable;
import io.albis.trino.config.AlbisSchemaProperties;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.SchemaNotFoundException;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.TableNotFoundException;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.albis.table.model.TableException.Reason.INVALID_DEFINITION;
import static io.albis.trino.error.AlbisErrors.isDamaged;
import static io.albis.trino.error.AlbisErrors.isStorageFailure;
import static io.albis.trino.error.AlbisErrors.isTableNotFound;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.error.AlbisErrors.translateAction;
import static io.albis.trino.error.AlbisErrors.unreadableEntry;
import static io.trino.spi.StandardErrorCode.INVALID_SCHEMA_PROPERTY;
import static java.util.Objects.requireNonNull;

/**
 * Lists, creates, renames, and drops schemas, and drops tables and views that cannot be loaded.
 */
class SchemaOperations
{
    private static final Logger log = Logger.get(SchemaOperations.class);

    private final Warehouse warehouse;
    private final TableLoader tables;

    public SchemaOperations(Warehouse warehouse, TableLoader tables)
    {
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.tables = requireNonNull(tables, "tables is null");
    }

    public boolean exists(String schemaName)
    {
        return translate(() -> warehouse.schemaExists(schemaName));
    }

    public List<String> list()
    {
        return translate(warehouse::listSchemas);
    }

    /**
     * Returns the properties with which CREATE SCHEMA creates the same schema again. They include a location only if
     * the user set one.
     */
    public Map<String, Object> properties(String schemaName)
    {
        SchemaInfo schema = translate(() -> warehouse.getSchema(schemaName))
                .orElseThrow(() -> new SchemaNotFoundException(schemaName));
        if (schema.explicitLocation()) {
            return ImmutableMap.of(AlbisSchemaProperties.LOCATION, schema.location().toString());
        }
        return ImmutableMap.of();
    }

    public void create(String schemaName, Map<String, Object> properties)
    {
        translate(
                () -> warehouse.createSchema(schemaName, AlbisSchemaProperties.getLocation(properties), ImmutableMap.of()),
                INVALID_DEFINITION,
                INVALID_SCHEMA_PROPERTY);
    }

    /**
     * Renames a schema with its tables, which this transaction then loads again.
     *
     * @param newName new name as the statement has it. The engine does not convert it to lower case, and access control
     *         has seen it like this, so upper case is refused
     */
    public void rename(String schemaName, String newName)
    {
        try {
            translateAction(() -> warehouse.renameSchema(schemaName, newName));
        }
        finally {
            tables.forgetSchemas(ImmutableSet.of(schemaName, newName));
        }
    }

    public void drop(String schemaName, boolean cascade)
    {
        if (cascade) {
            for (ListedName listed : translate(() -> warehouse.views().list(schemaName))) {
                dropTable(new SchemaTableName(schemaName, listed.name()), listed.entry().schemaKey());
            }
        }
        translateAction(() -> warehouse.dropSchema(schemaName));
    }

    /**
     * Drops a table or view of a schema that is dropped with CASCADE. The result is the same if another query drops it
     * first. A table of another schema, which has the name since then, is not dropped.
     */
    private void dropTable(SchemaTableName name, String schemaKey)
    {
        try {
            tryDropTable(name, schemaKey);
        }
        catch (TrinoException e) {
            if (!isTableNotFound(e)) {
                throw e;
            }
        }
    }

    private void tryDropTable(SchemaTableName name, String schemaKey)
    {
        Optional<AlbisTable> table;
        try {
            table = tables.findRelation(name);
        }
        catch (TrinoException e) {
            dropUnreadableTable(name, new NameEntry(schemaKey, droppableEntry(e).number()));
            return;
        }
        if (table.isPresent()) {
            translateAction(() -> warehouse.dropTable(table.get(), schemaKey));
            tables.forget(name);
        }
    }

    private void dropTable(AlbisTable table)
    {
        translateAction(() -> warehouse.dropTable(table));
        tables.forget(new SchemaTableName(table.schemaName(), table.tableName()));
    }

    /**
     * Drops a table that could not be loaded. The failure may be temporary, so the table is loaded again, and is
     * dropped like any other table if that succeeds. If it fails again, only the name of the table is dropped: the drop
     * is not recorded in a version of the table, and its files remain.
     *
     * @param entry the name entry that the statement saw; a table with another entry is not dropped
     * @throws TableNotFoundException if the table is gone or the name has another entry
     */
    public void dropUnreadableTable(SchemaTableName name, NameEntry entry)
    {
        Optional<AlbisTable> table;
        try {
            table = tables.findRelation(name);
        }
        catch (TrinoException e) {
            droppableEntry(e);
            log.warn(e, "Dropping only the name of table %s, because the table cannot be loaded", name);
            translateAction(() -> warehouse.dropDamagedTable(name.getSchemaName(), name.getTableName(), entry));
            tables.forget(name);
            return;
        }
        if (table.isEmpty() || !translate(() -> warehouse.isLastEntry(name.getSchemaName(), name.getTableName(), entry))) {
            throw new TableNotFoundException(name);
        }
        dropTable(table.get());
    }

    /**
     * Returns the name entry of a table that could not be loaded but can be dropped, or throws the
     * failure.
     */
    static NameEntry droppableEntry(TrinoException failure)
    {
        Optional<NameEntry> entry = unreadableEntry(failure);
        if (entry.isEmpty() || !(isDamaged(failure) || isStorageFailure(failure))) {
            throw failure;
        }
        return entry.get();
    }
}
