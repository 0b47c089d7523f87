package io.albis.trino.metadata;

import com.google.common.collect.ImmutableSet;
import io.airlift.slice.Slice;
import io.albis.table.optimize.OptimizePlan;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.RewriteHandle;
import io.albis.trino.procedure.TableProcedures;
import io.albis.trino.relation.StorageTables;
import io.albis.trino.view.MaterializedViews;
import io.albis.trino.view.ViewOperations;
import io.albis.trino.write.TableWrites;
import io.trino.spi.connector.BeginTableExecuteResult;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableExecuteHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.RetryMode;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
    private final TableWrites writes;

    protected TableExecuteMetadata(TableProcedures procedures, SchemaOperations schemas, ViewOperations views, MaterializedViews materializedViews, RelationListing listing, TableWrites writes)
    {
        super(schemas, views, materializedViews, listing, writes);
        this.procedures = requireNonNull(procedures, "procedures is null");
        this.writes = requireNonNull(writes, "writes is null");
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
            return Optional.of(procedures.prepareOnStorage(session, handle, procedureName, executeProperties, retryMode));
        }
        return Optional.of(procedures.prepare(session, writable(tableHandle), procedureName, executeProperties, retryMode));
    }

    /**
     * Returns the column of the scan that carries what it has written. Only procedures that read rows have a scan.
     */
    @Override
    public Set<ColumnHandle> getColumnHandlesForTableExecute(ConnectorSession session, ConnectorTableHandle tableHandle, ConnectorTableExecuteHandle tableExecuteHandle)
    {
        return ImmutableSet.of(RewriteHandle.RESULT);
    }

    @Override
    public BeginTableExecuteResult<ConnectorTableExecuteHandle, ConnectorTableHandle> beginTableExecute(ConnectorSession session, ConnectorTableExecuteHandle tableExecuteHandle, ConnectorTableHandle updatedSourceTableHandle)
    {
        RewriteHandle handle = ((RewriteHandle) tableExecuteHandle).withTable(readable(updatedSourceTableHandle));
        writes.beginRewrite(handle);
        return new BeginTableExecuteResult<>(handle, handle);
    }

    /**
     * Returns the row groups that a procedure of this transaction writes again.
     */
    public OptimizePlan rewritePlan(RewriteHandle handle)
    {
        return writes.rewritePlan(handle);
    }

    @Override
    public Map<String, Long> finishTableExecute(ConnectorSession session, ConnectorTableExecuteHandle tableExecuteHandle, Collection<Slice> fragments, List<Object> tableExecuteState)
    {
        return writes.finishRewrite((RewriteHandle) tableExecuteHandle, fragments);
    }

    @Override
    public Map<String, Long> executeTableExecute(ConnectorSession session, ConnectorTableExecuteHandle tableExecuteHandle)
    {
        return procedures.execute(session, tableExecuteHandle);
    }
}
