package io.albis.trino;

import com.google.common.collect.ImmutableMap;
import io.airlift.log.Logger;
import io.albis.table.AlbisTable;
import io.albis.table.SchemaInfo;
import io.albis.table.TableException;
import io.albis.table.Warehouse;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.SchemaNotFoundException;
import io.trino.spi.connector.SchemaTableName;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.albis.table.TableException.Reason.INVALID_DEFINITION;
import static io.albis.trino.AlbisErrors.isDamaged;
import static io.albis.trino.AlbisErrors.isStorageFailure;
import static io.albis.trino.AlbisErrors.toTrinoException;
import static io.albis.trino.AlbisErrors.translate;
import static io.albis.trino.AlbisErrors.translateAction;
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
        return translate(() -> warehouse.getSchema(schemaName)).isPresent();
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
                // one that somebody else drops meanwhile is gone as it should be
                dropTable(new SchemaTableName(schemaName, tableName));
            }
        }
        translateAction(() -> warehouse.dropSchema(schemaName));
    }

    private void dropTable(SchemaTableName name)
    {
        Optional<AlbisTable> table;
        try {
            table = tables.find(name);
        }
        catch (RuntimeException e) {
            checkDroppable(e);
            dropUnreadableTable(name);
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
     * dropped as any other. If it fails again only its name is dropped: no version of the table says so then, and its
     * files stay as they are.
     */
    public void dropUnreadableTable(SchemaTableName name)
    {
        Optional<AlbisTable> table;
        try {
            table = tables.find(name);
        }
        catch (RuntimeException e) {
            checkDroppable(e);
            log.warn(e, "Only the name of table %s is dropped, as the table cannot be loaded", name);
            translateAction(() -> warehouse.dropDamagedTable(name.getSchemaName(), name.getTableName()));
            tables.forget(name);
            return;
        }
        // somebody else may have dropped it meanwhile
        table.ifPresent(this::dropTable);
    }

    private static void checkDroppable(RuntimeException failure)
    {
        TrinoException reason = toTrinoException(failure);
        if (!isDamaged(reason) && !isStorageFailure(reason)) {
            throw reason;
        }
    }
}
