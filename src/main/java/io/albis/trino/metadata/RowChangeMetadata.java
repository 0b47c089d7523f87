package io.albis.trino.metadata;

import io.airlift.slice.Slice;
import io.albis.table.Warehouse;
import io.albis.trino.handle.AlbisMergeTableHandle;
import io.albis.trino.handle.HiddenColumnHandle;
import io.albis.trino.handle.RowGroupPartitioning;
import io.albis.trino.relation.TableLoader;
import io.albis.trino.write.TableWrites;
import io.albis.trino.write.WholeRowGroupDeletes;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorMergeTableHandle;
import io.trino.spi.connector.ConnectorPartitioningHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.connector.RowChangeParadigm;
import io.trino.spi.statistics.ComputedStatistics;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static io.albis.trino.handle.HiddenColumn.ROW_ID;
import static io.albis.trino.metadata.TableHandles.readable;
import static io.trino.spi.connector.RowChangeParadigm.DELETE_ROW_AND_INSERT_ROW;
import static java.util.Objects.requireNonNull;

/**
 * The metadata operations of DELETE, UPDATE, MERGE, and TRUNCATE TABLE.
 */
abstract class RowChangeMetadata
        extends MaintenanceMetadata
{
    private final TableLoader tables;
    private final TableWrites writes;
    private final WholeRowGroupDeletes deletes;

    protected RowChangeMetadata(Warehouse warehouse, TableLoader tables, TableWrites writes, WholeRowGroupDeletes deletes)
    {
        super(warehouse, tables);
        this.tables = requireNonNull(tables, "tables is null");
        this.writes = requireNonNull(writes, "writes is null");
        this.deletes = requireNonNull(deletes, "deletes is null");
    }

    @Override
    public RowChangeParadigm getRowChangeParadigm(ConnectorSession session, ConnectorTableHandle table)
    {
        return DELETE_ROW_AND_INSERT_ROW;
    }

    @Override
    public ColumnHandle getMergeRowIdColumnHandle(ConnectorSession session, ConnectorTableHandle table)
    {
        return new HiddenColumnHandle(ROW_ID);
    }

    /**
     * Returns a layout in which one sink gets all changes of a row group. Therefore it alone writes the deleted rows of
     * the row group.
     */
    @Override
    public Optional<ConnectorPartitioningHandle> getUpdateLayout(ConnectorSession session, ConnectorTableHandle table)
    {
        return Optional.of(RowGroupPartitioning.forRows(tables.load(readable(table)).rowCount()));
    }

    @Override
    public ConnectorMergeTableHandle beginMerge(ConnectorSession session, ConnectorTableHandle table, Map<Integer, Collection<ColumnHandle>> updateCaseColumns, RetryMode retryMode)
    {
        return writes.beginMerge(session, readable(table), !updateCaseColumns.isEmpty(), retryMode);
    }

    @Override
    public void finishMerge(
            ConnectorSession session,
            ConnectorMergeTableHandle mergeHandle,
            List<ConnectorTableHandle> sourceTableHandles,
            Collection<Slice> fragments,
            Collection<ComputedStatistics> computedStatistics)
    {
        writes.finishMerge((AlbisMergeTableHandle) mergeHandle, sourceTableHandles, fragments);
    }

    /**
     * Accepts a DELETE if the bounds of the row groups show that it deletes all rows of some row groups and no row of
     * the others.
     */
    @Override
    public Optional<ConnectorTableHandle> applyDelete(ConnectorSession session, ConnectorTableHandle table)
    {
        return deletes.isPossible(readable(table)) ? Optional.of(table) : Optional.empty();
    }

    @Override
    public OptionalLong executeDelete(ConnectorSession session, ConnectorTableHandle table)
    {
        return OptionalLong.of(deletes.execute(readable(table)));
    }

    @Override
    public void truncateTable(ConnectorSession session, ConnectorTableHandle table)
    {
        deletes.truncate(readable(table));
    }
}
