package io.albis.trino;

import com.google.common.collect.ImmutableMap;
import io.albis.table.SchemaInfo;
import io.albis.table.TableException;
import io.albis.table.Warehouse;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.SchemaNotFoundException;
import io.trino.spi.connector.SchemaTableName;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import static io.albis.table.TableException.Reason.INVALID_DEFINITION;
import static io.albis.trino.AlbisErrors.isDamaged;
import static io.albis.trino.AlbisErrors.isTableNotFound;
import static io.albis.trino.AlbisErrors.translate;
import static io.albis.trino.AlbisErrors.translateAction;
import static io.albis.trino.AlbisErrors.unreadableEntry;
import static io.trino.spi.StandardErrorCode.INVALID_SCHEMA_PROPERTY;
import static java.util.Objects.requireNonNull;

class SchemaOperations
{
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

    private void dropTable(SchemaTableName name)
    {
        try {
            tryDropTable(name);
        }
        catch (TrinoException e) {
            // what matters is that it is gone
            if (!isTableNotFound(e)) {
                throw e;
            }
        }
        tables.forget(name);
    }

    private void tryDropTable(SchemaTableName name)
    {
        try {
            tables.find(name).ifPresent(table -> translateAction(() -> warehouse.dropTable(table)));
        }
        catch (TrinoException e) {
            OptionalLong entry = unreadableEntry(e);
            if (!isDamaged(e) || entry.isEmpty()) {
                throw e;
            }
            translateAction(() -> warehouse.dropDamagedTable(name.getSchemaName(), name.getTableName(), entry.getAsLong()));
        }
    }
}
