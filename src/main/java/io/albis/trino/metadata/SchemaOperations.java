package io.albis.trino.metadata;

import com.google.common.collect.ImmutableMap;
import io.airlift.log.Logger;
import io.albis.table.Warehouse;
import io.albis.table.model.SchemaInfo;
import io.albis.table.model.TableException;
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
import java.util.OptionalLong;

import static io.albis.table.model.TableException.Reason.INVALID_DEFINITION;
import static io.albis.trino.error.AlbisErrors.isDamaged;
import static io.albis.trino.error.AlbisErrors.isStorageFailure;
import static io.albis.trino.error.AlbisErrors.isTableNotFound;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.error.AlbisErrors.translateAction;
import static io.albis.trino.error.AlbisErrors.unreadableEntry;
import static io.trino.spi.StandardErrorCode.INVALID_SCHEMA_PROPERTY;
import static java.util.Objects.requireNonNull;

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
     * As CREATE SCHEMA takes them: a location only if the user gave one.
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
        translate(() -> {
            try {
                return warehouse.createSchema(schemaName, AlbisSchemaProperties.getLocation(properties), ImmutableMap.of());
            }
            catch (TableException e) {
                if (e.reason() == INVALID_DEFINITION) {
                    throw new TrinoException(INVALID_SCHEMA_PROPERTY, e.getMessage(), e);
                }
                throw e;
            }
        });
    }

    public void drop(String schemaName, boolean cascade)
    {
        if (cascade) {
            for (String tableName : translate(() -> warehouse.listTables(schemaName))) {
                dropTable(new SchemaTableName(schemaName, tableName));
            }
        }
        translateAction(() -> warehouse.dropSchema(schemaName));
    }

    /**
     * For CASCADE: somebody else may drop the table first, and what matters is that it is gone.
     */
    private void dropTable(SchemaTableName name)
    {
        try {
            tryDropTable(name);
        }
        catch (TrinoException e) {
            if (!isTableNotFound(e)) {
                throw e;
            }
        }
    }

    private void tryDropTable(SchemaTableName name)
    {
        Optional<AlbisTable> table;
        try {
            table = tables.find(name);
        }
        catch (TrinoException e) {
            dropUnreadableTable(name, droppableEntry(e));
            return;
        }
        table.ifPresent(this::dropTable);
    }

    private void dropTable(AlbisTable table)
    {
        translateAction(() -> warehouse.dropTable(table));
        tables.forget(new SchemaTableName(table.schemaName(), table.tableName()));
    }

    /**
     * Drops a table that could not be loaded. The failure may have passed, so the table is loaded once more and then
     * dropped as any other. If it fails again, only its name is dropped: no version of the table says so then, and its
     * files stay as they are.
     *
     * @param entryNumber of the entry of the name that was looked at: the table of a later one stays
     */
    public void dropUnreadableTable(SchemaTableName name, long entryNumber)
    {
        Optional<AlbisTable> table;
        try {
            table = tables.find(name);
        }
        catch (TrinoException e) {
            droppableEntry(e);
            log.warn(e, "Only the name of table %s is dropped, as the table cannot be loaded", name);
            translateAction(() -> warehouse.dropDamagedTable(name.getSchemaName(), name.getTableName(), entryNumber));
            tables.forget(name);
            return;
        }
        if (table.isEmpty() || !translate(() -> warehouse.isLastEntry(name.getSchemaName(), name.getTableName(), entryNumber))) {
            throw new TableNotFoundException(name);
        }
        dropTable(table.get());
    }

    /**
     * The entry of a table that could not be loaded and may be dropped nevertheless.
     */
    private static long droppableEntry(TrinoException failure)
    {
        OptionalLong entry = unreadableEntry(failure);
        if (entry.isEmpty() || !(isDamaged(failure) || isStorageFailure(failure))) {
            throw failure;
        }
        return entry.getAsLong();
    }
}
