package io.albis.trino.metadata;

import io.airlift.slice.Slice;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableVersion;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisMergeTableHandle;
import io.albis.trino.handle.AlbisMergeTableHandle.Kind;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.HiddenColumnHandle;
import io.albis.trino.partition.RowGroupPartitioning;
import io.albis.trino.procedure.TableProcedures;
import io.albis.trino.pushdown.FieldPushdown;
import io.albis.trino.pushdown.ScannedColumns;
import io.albis.trino.relation.TableLoader;
import io.albis.trino.relation.WriterDistribution;
import io.albis.trino.view.MaterializedViews;
import io.albis.trino.view.ViewOperations;
import io.albis.trino.write.TableWrites;
import io.albis.trino.write.WholeRowGroupDeletes;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorMergeTableHandle;
import io.trino.spi.connector.ConnectorPartitioningHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableLayout;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ProjectionApplicationResult;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.connector.RowChangeParadigm;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.statistics.ComputedStatistics;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.config.AlbisSessionProperties.isProjectionPushdownEnabled;
import static io.albis.trino.handle.HiddenColumn.ROW_ID;
import static io.albis.trino.metadata.TableHandles.readable;
import static io.albis.trino.metadata.TableHandles.writable;
import static io.trino.spi.connector.RowChangeParadigm.CHANGE_ONLY_UPDATED_COLUMNS;
import static java.util.Objects.requireNonNull;

/**
 * The metadata operations of DELETE, UPDATE, MERGE, and TRUNCATE TABLE.
 */
abstract class RowChangeMetadata
        extends TableExecuteMetadata
{
    private final TableLoader tables;
    private final TableWrites writes;
    private final WholeRowGroupDeletes deletes;
    // whether the transaction has planned an UPDATE or a MERGE, and which privileges its statements needed
    private volatile boolean updateOrMerge;
    private volatile boolean updates;
    private volatile boolean inserts;

    protected RowChangeMetadata(TableLoader tables, TableWrites writes, WholeRowGroupDeletes deletes, TableProcedures procedures, SchemaOperations schemas, ViewOperations views, MaterializedViews materializedViews, RelationListing listing)
    {
        super(procedures, schemas, views, materializedViews, listing, writes);
        this.tables = requireNonNull(tables, "tables is null");
        this.writes = requireNonNull(writes, "writes is null");
        this.deletes = requireNonNull(deletes, "deletes is null");
    }

    /**
     * Returns that updated rows arrive in one piece. The sink decides whether it writes their changed columns or all
     * columns. The engine asks this when it plans an UPDATE or a MERGE, but not for a DELETE.
     */
    @Override
    public RowChangeParadigm getRowChangeParadigm(ConnectorSession session, ConnectorTableHandle table)
    {
        updateOrMerge = true;
        return CHANGE_ONLY_UPDATED_COLUMNS;
    }

    /**
     * Pushes down fields of rows, and notes which columns a scan reads.
     */
    @Override
    public Optional<ProjectionApplicationResult<ConnectorTableHandle>> applyProjection(ConnectorSession session, ConnectorTableHandle table, List<ConnectorExpression> projections, Map<String, ColumnHandle> assignments)
    {
        AlbisTableHandle handle = readable(table);
        if (handle.answer().isPresent()) {
            // the handle names the columns from which the answer was made
            return Optional.empty();
        }
        if (!isProjectionPushdownEnabled(session)) {
            return ScannedColumns.note(handle, projections, assignments);
        }
        return FieldPushdown.apply(handle, projections, assignments);
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
        AlbisTable loaded = tables.load(readable(table));
        boolean partitioned = !PartitionFields.of(loaded.version().properties()).isEmpty();
        // The engine requires the same number of buckets for new rows, which are distributed by their partitions
        return Optional.of(partitioned ? RowGroupPartitioning.ofEngine() : RowGroupPartitioning.forRows(loaded.rowCount()));
    }

    /**
     * Returns a layout in which one writer gets the rows of a partition.
     */
    @Override
    public Optional<ConnectorTableLayout> getInsertLayout(ConnectorSession session, ConnectorTableHandle table)
    {
        TableVersion version = tables.load(readable(table)).version();
        return WriterDistribution.of(version.properties(), version.columns());
    }

    @Override
    public Optional<ConnectorTableLayout> getNewTableLayout(ConnectorSession session, ConnectorTableMetadata tableMetadata)
    {
        TableDefinition definition = writes.definition(tableMetadata);
        return WriterDistribution.of(definition.properties(), definition.columns());
    }

    /**
     * Notes that a statement of the transaction needs the privilege to update rows.
     */
    public void noteUpdate()
    {
        updates = true;
    }

    /**
     * Notes that a statement of the transaction needs the privilege to insert rows, so a MERGE may do that.
     */
    public void noteInsert()
    {
        inserts = true;
    }

    /**
     * Returns what the current statement does, or what it can do at most. The engine does not tell a connector which
     * statement it runs. A catalog without access control of its own does not learn about privileges either.
     */
    private Kind kind()
    {
        if (!updateOrMerge) {
            return Kind.DELETE;
        }
        return updates && !inserts ? Kind.UPDATE : Kind.MERGE;
    }

    @Override
    public ConnectorMergeTableHandle beginMerge(ConnectorSession session, ConnectorTableHandle table, Map<Integer, Collection<ColumnHandle>> updateCaseColumns, RetryMode retryMode)
    {
        List<Integer> updatedColumns = updateCaseColumns.values().stream()
                .flatMap(Collection::stream)
                .map(column -> ((AlbisColumnHandle) column).id())
                .distinct()
                .sorted()
                .collect(toImmutableList());
        return writes.beginMerge(session, writable(table), updatedColumns, kind(), retryMode);
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
        return deletes.isPossible(writable(table)) ? Optional.of(table) : Optional.empty();
    }

    @Override
    public OptionalLong executeDelete(ConnectorSession session, ConnectorTableHandle table)
    {
        return OptionalLong.of(deletes.execute(writable(table)));
    }

    @Override
    public void truncateTable(ConnectorSession session, ConnectorTableHandle table)
    {
        deletes.truncate(writable(table));
    }
}
