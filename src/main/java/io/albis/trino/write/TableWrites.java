package io.albis.trino.write;

import io.airlift.slice.Slice;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.write.WriterOptions;
import io.albis.table.Warehouse;
import io.albis.table.model.Materialization.Refresh;
import io.albis.table.model.NewTable;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.optimize.ColumnRewritePlan;
import io.albis.table.optimize.OptimizePlan;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.albis.trino.fragment.WriteFragments;
import io.albis.trino.fragment.WrittenChanges;
import io.albis.trino.handle.AlbisMergeTableHandle;
import io.albis.trino.handle.AlbisMergeTableHandle.Kind;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.handle.ColumnRewriteHandle;
import io.albis.trino.handle.EarlierDeletes;
import io.albis.trino.handle.OptimizeHandle;
import io.albis.trino.handle.RewriteHandle;
import io.albis.trino.handle.UpdateOptions;
import io.albis.trino.handle.WriteId;
import io.albis.trino.pushdown.PruningPredicate;
import io.albis.trino.relation.ColumnGroupDefaults;
import io.albis.trino.relation.StorageTables;
import io.albis.trino.relation.TableDefinitionFactory;
import io.albis.trino.relation.TableLoader;
import io.trino.filesystem.Location;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.connector.SaveMode;
import io.trino.spi.connector.SchemaNotFoundException;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.predicate.TupleDomain;

import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import static com.google.common.base.Preconditions.checkState;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.trino.config.AlbisSessionProperties.getUpdateBufferSize;
import static io.albis.trino.config.AlbisSessionProperties.getUpdateRewriteThreshold;
import static io.albis.trino.error.AlbisErrors.toTrinoException;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.error.AlbisErrors.translateAction;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static io.trino.spi.StandardErrorCode.SCHEMA_NOT_FOUND;
import static io.trino.spi.StandardErrorCode.TABLE_ALREADY_EXISTS;
import static io.trino.spi.connector.RetryMode.NO_RETRIES;
import static java.util.Objects.requireNonNull;

/**
 * Creates tables, adds rows to them, and deletes rows of them. Sinks first write the files, under unique names. The
 * fragments that the engine collects from them are then committed at once. A task may run several times, because only
 * the files in these fragments become visible.
 */
public class TableWrites
{
    private final Warehouse warehouse;
    private final TableLoader tables;
    private final TableDefinitionFactory definitions;
    private final AbandonedFiles abandonedFiles;

    private final ConcurrentMap<WriteId, PendingWrite> pendingWrites = new ConcurrentHashMap<>();

    public TableWrites(Warehouse warehouse, TableLoader tables, TableDefinitionFactory definitions, AbandonedFiles abandonedFiles)
    {
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.definitions = requireNonNull(definitions, "definitions is null");
        this.abandonedFiles = requireNonNull(abandonedFiles, "abandonedFiles is null");
    }

    public ColumnGroupDefaults columnGroupDefaults()
    {
        return definitions.columnGroupDefaults();
    }

    /**
     * Returns the definition of a new table.
     */
    public TableDefinition definition(ConnectorTableMetadata metadata)
    {
        return definitions.create(metadata);
    }

    /**
     * Creates a table without rows.
     *
     * @param saveMode IGNORE to keep a table of the same name that exists, or REPLACE to replace it
     */
    public void createEmptyTable(ConnectorTableMetadata metadata, SaveMode saveMode)
    {
        if (saveMode == SaveMode.REPLACE && replaceByEmptyTable(metadata)) {
            return;
        }
        NewTable newTable = newTable(metadata);
        try {
            warehouse.createTable(newTable, TableRows.NONE);
        }
        catch (UncheckedIOException e) {
            tables.forget(metadata.getTable());
            abandon(newTable);
            throw toTrinoException(e);
        }
        catch (TableException e) {
            tables.forget(metadata.getTable());
            if (e.reason() != OUTCOME_UNKNOWN) {
                abandon(newTable);
            }
            if (e.reason() == ALREADY_EXISTS) {
                checkNoView(metadata.getTable());
            }
            boolean done = e.reason() == ALREADY_EXISTS && switch (saveMode) {
                case FAIL -> false;
                case IGNORE -> true;
                // another transaction has created it in the meantime
                case REPLACE -> replaceByEmptyTable(metadata);
            };
            if (!done) {
                throw toTrinoException(e);
            }
        }
        tables.forget(metadata.getTable());
    }

    private void abandon(NewTable newTable)
    {
        new PendingCreate(warehouse, abandonedFiles, newTable, WriteId.random(), NO_RETRIES, false).rollback();
    }

    /**
     * Replaces a table by one without rows.
     *
     * @return false if there is no table to replace
     */
    private boolean replaceByEmptyTable(ConnectorTableMetadata metadata)
    {
        Optional<AlbisTable> existing = tables.find(metadata.getTable());
        if (existing.isEmpty()) {
            return false;
        }
        TableDefinition definition = replacement(existing.get(), metadata);
        translate(() -> warehouse.replaceTable(existing.get(), definition, TableRows.NONE, false));
        tables.forget(metadata.getTable());
        return true;
    }

    /**
     * Returns the definition that replaces that of a table, with the column ids 1, 2, and so on.
     */
    private TableDefinition replacement(AlbisTable table, ConnectorTableMetadata metadata)
    {
        TableDefinition definition = definitions.create(metadata);
        String existing = table.explicitLocation().map(Location::toString).orElse("");
        definition.location().ifPresent(location -> {
            String given = location.endsWith("/") ? location.substring(0, location.length() - 1) : location;
            if (!given.equals(existing)) {
                throw new TrinoException(INVALID_TABLE_PROPERTY, "A table that is replaced stays in its folder %s, so its location cannot be %s. Omit the location, or drop the table first".formatted(table.folder(), location));
            }
        });
        return definition;
    }

    /**
     * Begins a CREATE TABLE AS. The table becomes visible with {@link #finishCreate}.
     *
     * @param replace whether to replace a table of the same name
     */
    public AlbisWritableTableHandle beginCreate(ConnectorSession session, ConnectorTableMetadata metadata, RetryMode retryMode, boolean replace)
    {
        if (replace) {
            Optional<AlbisTable> existing = tables.find(metadata.getTable());
            if (existing.isPresent()) {
                return beginReplace(session, existing.get(), metadata, retryMode);
            }
        }
        NewTable newTable = newTable(metadata);
        WriteId writeId = WriteId.random();
        pendingWrites.put(writeId, new PendingCreate(warehouse, abandonedFiles, newTable, writeId, retryMode, replace));
        return WritableHandles.create(
                session,
                metadata.getTable(),
                newTable.uuid(),
                writeId,
                newTable.folder(),
                newTable.definition().columns(),
                newTable.definition().columnGroups(),
                newTable.definition().properties());
    }

    private AlbisWritableTableHandle beginReplace(ConnectorSession session, AlbisTable table, ConnectorTableMetadata metadata, RetryMode retryMode)
    {
        TableDefinition definition = replacement(table, metadata);
        translateAction(() -> warehouse.checkWritable(table));
        WriteId writeId = WriteId.random();
        pendingWrites.put(writeId, new PendingReplace(warehouse, tables, abandonedFiles, table, definition, writeId, retryMode));
        TableDefinition written = definition.withColumnIdsAfter(table.version().lastColumnId());
        return WritableHandles.create(session, metadata.getTable(), table.uuid(), writeId, table.folder(), written.columns(), written.columnGroups(), written.properties());
    }

    /**
     * Fails if the name refers to a view, because the engine looks only for a table. It ignores the code ALREADY_EXISTS
     * for CREATE TABLE IF NOT EXISTS and for CREATE OR REPLACE TABLE.
     */
    private void checkNoView(SchemaTableName name)
    {
        if (tables.findView(name).isPresent()) {
            throw new TrinoException(TABLE_ALREADY_EXISTS, "View '%s' already exists".formatted(name));
        }
        if (tables.findMaterializedView(name).isPresent()) {
            throw new TrinoException(TABLE_ALREADY_EXISTS, "Materialized view '%s' already exists".formatted(name));
        }
    }

    private NewTable newTable(ConnectorTableMetadata metadata)
    {
        checkNoView(metadata.getTable());
        String schemaName = metadata.getTable().getSchemaName();
        TableDefinition definition = definitions.create(metadata);
        try {
            return translate(() -> warehouse.newTable(schemaName, metadata.getTable().getTableName(), definition));
        }
        catch (TrinoException e) {
            if (e.getErrorCode().equals(SCHEMA_NOT_FOUND.toErrorCode())) {
                // the exception that the engine uses
                throw new SchemaNotFoundException(schemaName, e);
            }
            throw e;
        }
    }

    public void finishCreate(AlbisWritableTableHandle handle, Collection<Slice> fragments)
    {
        finish(handle, ReadSet.BLIND, WriteFragments.decode(fragments));
    }

    /**
     * Begins an INSERT. Its rows become visible with {@link #finishInsert}.
     */
    public AlbisWritableTableHandle beginInsert(ConnectorSession session, AlbisTableHandle handle, RetryMode retryMode)
    {
        AlbisTable table = tables.load(handle);
        translateAction(() -> warehouse.checkWritable(table));
        WriteId writeId = WriteId.random();
        pendingWrites.put(writeId, new PendingInsert(warehouse, tables, abandonedFiles, table, writeId, retryMode));
        return WritableHandles.create(session, handle.schemaTableName(), table, writeId);
    }

    /**
     * Commits an INSERT.
     *
     * @param sourceTables tables that the query reads. If the target is among them, the commit conflicts with changes
     *         of the rows that the query may have read.
     */
    public void finishInsert(AlbisWritableTableHandle handle, List<ConnectorTableHandle> sourceTables, Collection<Slice> fragments)
    {
        finish(handle, ReadSets.ofInsert(handle.tableId(), tables.sources(sourceTables)), WriteFragments.decode(fragments));
    }

    /**
     * Begins a refresh of a materialized view. Its rows become visible with {@link #finishRefresh}.
     *
     * @param storage handle of the storage table of the materialized view
     * @param append whether the rows are added to those that the materialized view has; otherwise, they replace them
     */
    public AlbisWritableTableHandle beginRefresh(ConnectorSession session, AlbisTableHandle storage, RetryMode retryMode, boolean append)
    {
        AlbisTable table = tables.load(storage);
        translateAction(() -> warehouse.checkWritable(table));
        WriteId writeId = WriteId.random();
        pendingWrites.put(writeId, new PendingRefresh(warehouse, abandonedFiles, table, append, writeId, retryMode));
        return WritableHandles.create(session, storage.schemaTableName(), table, writeId);
    }

    /**
     * Commits a refresh.
     *
     * @param refresh the tables that its query has read
     */
    public void finishRefresh(AlbisWritableTableHandle handle, Refresh refresh, Collection<Slice> fragments)
    {
        if (pendingWrites.get(handle.writeId()) instanceof PendingRefresh pending) {
            pending.setRefresh(refresh);
        }
        finish(handle, ReadSet.BLIND, WriteFragments.decode(fragments));
        tables.forget(StorageTables.baseOf(handle.schemaTableName()));
    }

    /**
     * Begins a row-level DELETE, UPDATE, or MERGE. Its changes become visible with {@link #finishMerge}.
     *
     * @param updatedColumns ids of the columns that the statement can update
     * @param kind what the statement does
     */
    public AlbisMergeTableHandle beginMerge(ConnectorSession session, AlbisTableHandle handle, List<Integer> updatedColumns, Kind kind, RetryMode retryMode)
    {
        AlbisTable table = tables.load(handle);
        translateAction(() -> warehouse.checkWritable(table));
        // a row whose partition changes moves to another row group
        boolean moves = updatedColumns.stream().anyMatch(column -> PartitionFields.contains(table.version().properties(), column));
        AlbisMergeTableHandle mergeHandle = new AlbisMergeTableHandle(
                handle,
                WritableHandles.create(session, handle.schemaTableName(), table, WriteId.random()),
                translate(() -> earlierDeletes(table, handle)),
                new UpdateOptions(updatedColumns, moves ? 1 : getUpdateRewriteThreshold(session), getUpdateBufferSize(session).toBytes()),
                kind);
        pendingWrites.put(mergeHandle.target().writeId(), new PendingMerge(warehouse, tables, abandonedFiles, table, mergeHandle, retryMode));
        return mergeHandle;
    }

    private static Optional<EarlierDeletes> earlierDeletes(AlbisTable table, AlbisTableHandle handle)
    {
        if (table.version().manifests().stream().allMatch(manifest -> manifest.rows() == manifest.liveRows())) {
            return Optional.of(EarlierDeletes.NONE);
        }
        TupleDomain<AlbisColumn> predicate = PruningPredicate.of(handle.predicate());
        return EarlierDeletes.of(table.select(predicate).rowGroups(), predicate).unlessMany();
    }

    /**
     * Commits a row-level DELETE, UPDATE, or MERGE.
     *
     * @param sourceTables tables that the query reads, including the target
     */
    public void finishMerge(AlbisMergeTableHandle handle, List<ConnectorTableHandle> sourceTables, Collection<Slice> fragments)
    {
        WrittenChanges changes = WriteFragments.decode(fragments);
        finish(handle.target(), ReadSets.ofMerge(handle, tables.sources(sourceTables)), changes);
    }

    private void finish(AlbisWritableTableHandle handle, ReadSet readSet, WrittenChanges changes)
    {
        pending(handle).finish(changes, readSet);
        tables.forget(handle.schemaTableName());
    }

    private PendingWrite pending(AlbisWritableTableHandle handle)
    {
        PendingWrite write = pendingWrites.get(handle.writeId());
        checkState(write != null, "the write into %s did not begin in this transaction", handle);
        return write;
    }

    /**
     * Begins a procedure that writes row groups again. The result becomes visible with {@link #finishRewrite}.
     *
     * @param handle with the predicate that selects row groups
     */
    public void beginRewrite(RewriteHandle handle)
    {
        AlbisTable table = tables.load(handle.table());
        TupleDomain<AlbisColumn> selected = PruningPredicate.of(handle.table().predicate());
        AlbisWritableTableHandle target = handle.target();
        WriterOptions options = target.writerOptions();
        pendingWrites.put(target.writeId(), switch (handle) {
            case OptimizeHandle optimize -> {
                OptimizePlan plan = translate(() -> OptimizePlan.of(table, selected, options.rowGroupBytes(), options.maxRowGroupRows(), optimize.all()));
                yield new PendingOptimize(warehouse, abandonedFiles, table, plan, optimize);
            }
            case ColumnRewriteHandle columns -> {
                OptimizePlan plan = translate(() -> ColumnRewritePlan.of(table, selected, options.rowGroupBytes(), columns.planner()));
                yield new PendingColumnRewrite(warehouse, abandonedFiles, table, plan, columns);
            }
        });
    }

    /**
     * Returns the row groups that a procedure writes again, which do not change once it has begun.
     */
    public OptimizePlan rewritePlan(RewriteHandle handle)
    {
        return ((PendingRewrite) pending(handle.target())).plan();
    }

    /**
     * Commits a procedure that has written row groups again.
     *
     * @return numbers by name, which the statement returns
     */
    public Map<String, Long> finishRewrite(RewriteHandle handle, Collection<Slice> fragments)
    {
        PendingRewrite write = (PendingRewrite) pending(handle.target());
        WrittenChanges changes = write.collect(fragments);
        // what others have changed elsewhere does not matter, with any isolation level
        write.finish(changes, ReadSet.BLIND);
        tables.forget(StorageTables.baseOf(handle.table().schemaTableName()));
        return write.metrics(changes);
    }

    /**
     * Removes the files that the failed query wrote and did not commit.
     */
    public void rollback()
    {
        pendingWrites.values().forEach(PendingWrite::rollback);
    }
}
