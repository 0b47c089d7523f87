package io.albis.trino.write;

import io.airlift.slice.Slice;
import io.albis.format.write.WriterOptions;
import io.albis.table.Warehouse;
import io.albis.table.model.NewTable;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.ReadSet;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.handle.HandleBuild;
import io.albis.trino.handle.WriteId;
import io.albis.trino.relation.ColumnGroupDefaults;
import io.albis.trino.relation.StoredTableProperties;
import io.albis.trino.relation.TableDefinitionFactory;
import io.albis.trino.relation.TableDescriptions;
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

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.trino.config.AlbisSessionProperties.getWriterOptions;
import static io.albis.trino.error.AlbisErrors.toTrinoException;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.error.AlbisErrors.translateAction;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.StandardErrorCode.SCHEMA_NOT_FOUND;
import static java.util.Objects.requireNonNull;

/**
 * Creates tables and adds rows to them. Page sinks first write the data files, under unique names. The fragments that
 * the engine collects from them are then committed at once. A task may run several times, because only the row groups
 * in these fragments become visible.
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
     * Creates a table without rows.
     *
     * @param saveMode IGNORE to keep a table of the same name that exists; REPLACE is not supported
     */
    public void createEmptyTable(ConnectorTableMetadata metadata, SaveMode saveMode)
    {
        if (saveMode == SaveMode.REPLACE) {
            throw new TrinoException(NOT_SUPPORTED, "This connector does not support replacing tables");
        }
        NewTable newTable = newTable(metadata);
        try {
            warehouse.createTable(newTable, TableRows.NONE);
        }
        catch (TableException e) {
            if (saveMode != SaveMode.IGNORE || e.reason() != ALREADY_EXISTS) {
                throw toTrinoException(e);
            }
        }
        tables.forget(metadata.getTable());
    }

    /**
     * Begins a CREATE TABLE AS. The table becomes visible with {@link #finishCreate}.
     */
    public AlbisWritableTableHandle beginCreate(ConnectorSession session, ConnectorTableMetadata metadata, RetryMode retryMode)
    {
        NewTable newTable = newTable(metadata);
        WriteId writeId = WriteId.random();
        pendingWrites.put(writeId, new PendingCreate(warehouse, abandonedFiles, newTable, writeId, retryMode));
        return writableHandle(
                session,
                metadata.getTable(),
                newTable.uuid(),
                writeId,
                newTable.folder(),
                newTable.definition().columns(),
                newTable.definition().columnGroups(),
                newTable.definition().properties());
    }

    private NewTable newTable(ConnectorTableMetadata metadata)
    {
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
        finish(handle, ReadSet.BLIND, fragments);
    }

    /**
     * Begins an INSERT. Its rows become visible with {@link #finishInsert}.
     */
    public AlbisWritableTableHandle beginInsert(ConnectorSession session, AlbisTableHandle handle, RetryMode retryMode)
    {
        AlbisTable table = tables.load(handle);
        translateAction(() -> warehouse.checkWritable(table));
        WriteId writeId = WriteId.random();
        pendingWrites.put(writeId, new PendingInsert(warehouse, abandonedFiles, table, writeId, retryMode));
        return writableHandle(
                session,
                handle.schemaTableName(),
                table.uuid(),
                writeId,
                table.folder(),
                table.version().columns(),
                table.version().columnGroups(),
                table.version().properties());
    }

    /**
     * Commits an INSERT.
     *
     * @param sourceTables tables that the query reads. If the target is one of them, the commit conflicts with every
     *         commit of data to it since the INSERT began.
     */
    public void finishInsert(AlbisWritableTableHandle handle, List<ConnectorTableHandle> sourceTables, Collection<Slice> fragments)
    {
        boolean readsItself = sourceTables.stream()
                .map(AlbisTableHandle.class::cast)
                .anyMatch(source -> source.tableId().equals(handle.tableId()));
        finish(handle, readsItself ? ReadSet.wholeTable() : ReadSet.BLIND, fragments);
    }

    private void finish(AlbisWritableTableHandle handle, ReadSet readSet, Collection<Slice> fragments)
    {
        PendingWrite write = pendingWrites.get(handle.writeId());
        checkState(write != null, "the write into %s did not begin in this transaction", handle);
        write.finish(WriteFragments.decode(fragments), readSet);
        tables.forget(handle.schemaTableName());
    }

    /**
     * Removes the files that the failed query wrote and did not commit.
     */
    public void rollback()
    {
        pendingWrites.values().forEach(PendingWrite::rollback);
    }

    private static AlbisWritableTableHandle writableHandle(
            ConnectorSession session,
            SchemaTableName name,
            UUID tableId,
            WriteId writeId,
            Location folder,
            List<TableColumn> columns,
            List<TableColumnGroup> columnGroups,
            Map<String, String> properties)
    {
        WriterOptions options = StoredTableProperties.writerOptions(properties, getWriterOptions(session))
                .withColumnGroupCompressions(StoredTableProperties.columnGroupCompressions(columnGroups, properties));
        return new AlbisWritableTableHandle(
                HandleBuild.CURRENT,
                name.getSchemaName(),
                name.getTableName(),
                tableId,
                writeId,
                folder.toString(),
                columns.stream()
                        .map(TableDescriptions::columnHandle)
                        .collect(toImmutableList()),
                columnGroups,
                options);
    }
}
