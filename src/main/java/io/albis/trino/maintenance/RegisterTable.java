package io.albis.trino.maintenance;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.inject.Inject;
import io.albis.trino.config.AlbisMaintenanceConfig;
import io.albis.trino.metadata.AlbisMetadataFactory;
import io.trino.spi.TrinoException;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.procedure.Procedure.Argument;

import java.lang.invoke.MethodHandle;

import static com.google.common.base.Strings.isNullOrEmpty;
import static io.albis.trino.maintenance.MaintenanceErrors.translateProcedure;
import static io.trino.plugin.base.util.Procedures.checkProcedureArgument;
import static io.trino.spi.StandardErrorCode.PERMISSION_DENIED;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.invoke.MethodHandles.lookup;
import static java.util.Objects.requireNonNull;

/**
 * The procedure register_table, with the arguments except for metadata_file_name, the permissions, and the errors of
 * the Iceberg connector.
 */
public class RegisterTable
{
    private static final MethodHandle REGISTER_TABLE;

    static {
        try {
            REGISTER_TABLE = lookup().unreflect(RegisterTable.class.getMethod("registerTable", ConnectorAccessControl.class, ConnectorSession.class, String.class, String.class, String.class));
        }
        catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final AlbisMetadataFactory metadataFactory;
    private final boolean enabled;

    @Inject
    public RegisterTable(AlbisMetadataFactory metadataFactory, AlbisMaintenanceConfig config)
    {
        this.metadataFactory = requireNonNull(metadataFactory, "metadataFactory is null");
        this.enabled = config.isRegisterTableProcedureEnabled();
    }

    public Procedure procedure()
    {
        return new Procedure(
                "system",
                "register_table",
                ImmutableList.of(
                        new Argument("SCHEMA_NAME", VARCHAR),
                        new Argument("TABLE_NAME", VARCHAR),
                        new Argument("TABLE_LOCATION", VARCHAR)),
                REGISTER_TABLE.bindTo(this));
    }

    public void registerTable(ConnectorAccessControl accessControl, ConnectorSession session, String schemaName, String tableName, String tableLocation)
    {
        if (!enabled) {
            throw new TrinoException(PERMISSION_DENIED, "register_table procedure is disabled");
        }
        checkProcedureArgument(!isNullOrEmpty(schemaName), "schema_name cannot be null or empty");
        checkProcedureArgument(!isNullOrEmpty(tableName), "table_name cannot be null or empty");
        checkProcedureArgument(!isNullOrEmpty(tableLocation), "table_location cannot be null or empty");
        SchemaTableName name = new SchemaTableName(schemaName, tableName);
        accessControl.checkCanCreateTable(null, name, ImmutableMap.of());
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            translateProcedure(() -> metadataFactory.openWarehouse(session).maintenance().registerTable(name.getSchemaName(), name.getTableName(), tableLocation));
        }
    }
}
