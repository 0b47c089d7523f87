package io.albis.trino.maintenance;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.albis.table.Warehouse;
import io.albis.table.version.AlbisTable;
import io.albis.trino.metadata.AlbisMetadataFactory;
import io.trino.spi.TrinoException;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaNotFoundException;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.TableNotFoundException;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.procedure.Procedure.Argument;

import java.lang.invoke.MethodHandle;

import static com.google.common.base.Strings.isNullOrEmpty;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.error.AlbisErrors.translateAction;
import static io.trino.plugin.base.util.Procedures.checkProcedureArgument;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.invoke.MethodHandles.lookup;
import static java.util.Objects.requireNonNull;

/**
 * The procedure unregister_table, with the arguments, the permissions, and the errors of the Iceberg connector.
 */
public class UnregisterTable
{
    private static final MethodHandle UNREGISTER_TABLE;

    static {
        try {
            UNREGISTER_TABLE = lookup().unreflect(UnregisterTable.class.getMethod("unregisterTable", ConnectorAccessControl.class, ConnectorSession.class, String.class, String.class));
        }
        catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final AlbisMetadataFactory metadataFactory;

    @Inject
    public UnregisterTable(AlbisMetadataFactory metadataFactory)
    {
        this.metadataFactory = requireNonNull(metadataFactory, "metadataFactory is null");
    }

    public Procedure procedure()
    {
        return new Procedure(
                "system",
                "unregister_table",
                ImmutableList.of(
                        new Argument("SCHEMA_NAME", VARCHAR),
                        new Argument("TABLE_NAME", VARCHAR)),
                UNREGISTER_TABLE.bindTo(this));
    }

    public void unregisterTable(ConnectorAccessControl accessControl, ConnectorSession session, String schemaName, String tableName)
    {
        checkProcedureArgument(!isNullOrEmpty(schemaName), "schema_name cannot be null or empty");
        checkProcedureArgument(!isNullOrEmpty(tableName), "table_name cannot be null or empty");
        SchemaTableName name = new SchemaTableName(schemaName, tableName);
        accessControl.checkCanDropTable(null, name);
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            Warehouse warehouse = metadataFactory.openWarehouse(session);
            if (!translate(() -> warehouse.schemaExists(name.getSchemaName()))) {
                throw new SchemaNotFoundException(name.getSchemaName());
            }
            AlbisTable table = translate(() -> warehouse.loadTable(name.getSchemaName(), name.getTableName()))
                    .orElseThrow(() -> new TableNotFoundException(name));
            if (table.version().isView()) {
                throw new TrinoException(NOT_SUPPORTED, "'%s' is a view, and only a table can be unregistered".formatted(name));
            }
            translateAction(() -> warehouse.maintenance().unregisterTable(table));
        }
    }
}
