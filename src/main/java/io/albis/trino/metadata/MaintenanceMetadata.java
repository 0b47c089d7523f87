package io.albis.trino.metadata;

import io.albis.table.Warehouse;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.ExpireSnapshotsHandle;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableExecuteHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.RetryMode;

import java.util.Map;
import java.util.Optional;

import static io.albis.trino.metadata.TableHandles.readable;
import static java.util.Objects.requireNonNull;

/**
 * The metadata operations of ALTER TABLE EXECUTE.
 */
abstract class MaintenanceMetadata
        implements ConnectorMetadata
{
    private final Warehouse warehouse;
    private final TableLoader tables;

    protected MaintenanceMetadata(Warehouse warehouse, TableLoader tables)
    {
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.tables = requireNonNull(tables, "tables is null");
    }

    @Override
    public Optional<ConnectorTableExecuteHandle> getTableHandleForExecute(
            ConnectorSession session,
            ConnectorAccessControl accessControl,
            ConnectorTableHandle table,
            String procedureName,
            Map<String, Object> executeProperties,
            RetryMode retryMode)
    {
        return switch (procedureName) {
            case ExpireSnapshots.NAME -> Optional.of(ExpireSnapshots.handle(readable(table), executeProperties));
            default -> throw new IllegalArgumentException("Unknown procedure: " + procedureName);
        };
    }

    @Override
    public Map<String, Long> executeTableExecute(ConnectorSession session, ConnectorTableExecuteHandle executeHandle)
    {
        ExpireSnapshotsHandle handle = (ExpireSnapshotsHandle) executeHandle;
        AlbisTable table = tables.load(handle.tableHandle());
        Map<String, Long> metrics = ExpireSnapshots.execute(session, warehouse, table, handle);
        tables.forget(handle.tableHandle().schemaTableName());
        return metrics;
    }
}
