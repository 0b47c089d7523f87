package io.albis.trino.metadata;

import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.procedure.TableProcedures;
import io.albis.trino.relation.StorageTables;
import io.albis.trino.view.MaterializedViews;
import io.albis.trino.view.ViewOperations;
import io.albis.trino.write.TableWrites;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableExecuteHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.RetryMode;

import java.util.Map;
import java.util.Optional;

import static io.albis.trino.metadata.TableHandles.readable;
import static io.albis.trino.metadata.TableHandles.writable;
import static java.util.Objects.requireNonNull;

/**
 * The metadata operations of ALTER TABLE EXECUTE.
 */
abstract class TableExecuteMetadata
        extends MaterializedViewMetadata
{
    private final TableProcedures procedures;

    protected TableExecuteMetadata(TableProcedures procedures, SchemaOperations schemas, ViewOperations views, MaterializedViews materializedViews, RelationListing listing, TableWrites writes)
    {
        super(schemas, views, materializedViews, listing, writes);
        this.procedures = requireNonNull(procedures, "procedures is null");
    }

    @Override
    public Optional<ConnectorTableExecuteHandle> getTableHandleForExecute(
            ConnectorSession session,
            ConnectorAccessControl accessControl,
            ConnectorTableHandle tableHandle,
            String procedureName,
            Map<String, Object> executeProperties,
            RetryMode retryMode)
    {
        AlbisTableHandle handle = readable(tableHandle);
        if (StorageTables.isStorage(handle.schemaTableName())) {
            return Optional.of(procedures.beginOnStorage(handle, procedureName, executeProperties));
        }
        return Optional.of(procedures.begin(writable(tableHandle), procedureName, executeProperties));
    }

    @Override
    public Map<String, Long> executeTableExecute(ConnectorSession session, ConnectorTableExecuteHandle tableExecuteHandle)
    {
        return procedures.execute(session, tableExecuteHandle);
    }
}
