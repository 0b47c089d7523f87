package io.albis.trino.metadata;

import io.airlift.slice.Slice;
import io.albis.table.Warehouse;
import io.albis.table.model.TableColumn;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.handle.AnswerColumnHandle;
import io.albis.trino.handle.HiddenColumnHandle;
import io.albis.trino.procedure.TableProcedures;
import io.albis.trino.relation.SupportedTypes;
import io.albis.trino.relation.TableDescriptions;
import io.albis.trino.relation.TableLoader;
import io.albis.trino.system.SystemTables;
import io.albis.trino.usage.TransactionUsage;
import io.albis.trino.view.MaterializedViews;
import io.albis.trino.view.ViewOperations;
import io.albis.trino.write.TableWrites;
import io.albis.trino.write.WholeRowGroupDeletes;
import io.trino.plugin.base.classloader.ClassLoaderSafeSystemTable;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorInsertTableHandle;
import io.trino.spi.connector.ConnectorOutputMetadata;
import io.trino.spi.connector.ConnectorOutputTableHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableLayout;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ConnectorTableVersion;
import io.trino.spi.connector.RelationColumnsMetadata;
import io.trino.spi.connector.RelationCommentMetadata;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.connector.SaveMode;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.connector.WriterScalingOptions;
import io.trino.spi.security.TrinoPrincipal;
import io.trino.spi.statistics.ComputedStatistics;
import io.trino.spi.type.Type;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.error.AlbisErrors.translateAction;
import static io.albis.trino.metadata.TableHandles.readable;
import static io.albis.trino.metadata.TableHandles.writable;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.security.PrincipalType.USER;
import static java.util.Objects.requireNonNull;

/**
 * Metadata operations of one transaction: schemas and tables, and the begin and end of loads. The superclasses have
 * others.
 */
public class AlbisMetadata
        extends PushdownMetadata
{
    private final Warehouse warehouse;
    private final SchemaOperations schemas;
    private final TableLoader tables;
    private final TableHandles handles;
    private final TableWrites writes;
    private final RelationListing listing;
    private final SystemTables systemTables;
    private final TransactionUsage usage;

    public AlbisMetadata(Warehouse warehouse, SchemaOperations schemas, TableLoader tables, TableWrites writes, WholeRowGroupDeletes deletes, RelationListing listing, SystemTables systemTables, TableProcedures procedures, ViewOperations views, MaterializedViews materializedViews, TransactionUsage usage)
    {
        super(warehouse, tables, writes, deletes, procedures, schemas, views, materializedViews, listing);
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.schemas = requireNonNull(schemas, "schemas is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.handles = new TableHandles(tables);
        this.writes = requireNonNull(writes, "writes is null");
        this.listing = requireNonNull(listing, "listing is null");
        this.systemTables = requireNonNull(systemTables, "systemTables is null");
        this.usage = requireNonNull(usage, "usage is null");
    }

    @Override
    public boolean schemaExists(ConnectorSession session, String schemaName)
    {
        return schemas.exists(schemaName);
    }

    @Override
    public List<String> listSchemaNames(ConnectorSession session)
    {
        return schemas.list();
    }

    @Override
    public Map<String, Object> getSchemaProperties(ConnectorSession session, String schemaName)
    {
        return schemas.properties(schemaName);
    }

    @Override
    public void createSchema(ConnectorSession session, String schemaName, Map<String, Object> properties, TrinoPrincipal owner)
    {
        if (!owner.equals(new TrinoPrincipal(USER, session.getUser()))) {
            // the owner is not stored
            throw new TrinoException(NOT_SUPPORTED, "This connector does not support schemas with an owner. Create the schema without AUTHORIZATION");
        }
        schemas.create(schemaName, properties);
    }

    @Override
    public void dropSchema(ConnectorSession session, String schemaName, boolean cascade)
    {
        schemas.drop(schemaName, cascade);
    }

    @Override
    public void renameSchema(ConnectorSession session, String source, String target)
    {
        schemas.rename(source, target);
    }

    @Override
    public ConnectorTableHandle getTableHandle(
            ConnectorSession session,
            SchemaTableName tableName,
            Optional<ConnectorTableVersion> startVersion,
            Optional<ConnectorTableVersion> endVersion)
    {
        if (startVersion.isPresent()) {
            throw new TrinoException(NOT_SUPPORTED, "This connector does not support reading tables with a start version");
        }
        if (endVersion.isPresent()) {
            return handles.find(session, tableName, endVersion.get()).orElse(null);
        }
        return handles.find(session, tableName).orElse(null);
    }

    @Override
    public Optional<SystemTable> getSystemTable(ConnectorSession session, SchemaTableName tableName)
    {
        return systemTables.find(tableName)
                .map(table -> new ClassLoaderSafeSystemTable(table, getClass().getClassLoader()));
    }

    /**
     * Replaces NUMBER by a decimal type that rounds its values, as Trino's connectors do, because no type stores all of
     * its values. Types that a table can store need no replacement.
     */
    @Override
    public Optional<Type> getSupportedType(ConnectorSession session, Map<String, Object> tableProperties, Type type)
    {
        return SupportedTypes.replacement(type);
    }

    @Override
    public SchemaTableName getTableName(ConnectorSession session, ConnectorTableHandle table)
    {
        return readable(table).schemaTableName();
    }

    @Override
    public ConnectorTableMetadata getTableMetadata(ConnectorSession session, ConnectorTableHandle table)
    {
        return TableDescriptions.tableMetadata(load(table), writes.columnGroupDefaults());
    }

    @Override
    public Map<String, ColumnHandle> getColumnHandles(ConnectorSession session, ConnectorTableHandle table)
    {
        return TableDescriptions.columnHandles(load(table));
    }

    @Override
    public ColumnMetadata getColumnMetadata(ConnectorSession session, ConnectorTableHandle table, ColumnHandle column)
    {
        if (column instanceof HiddenColumnHandle hidden) {
            return TableDescriptions.columnMetadata(hidden.column());
        }
        if (column instanceof AnswerColumnHandle answer) {
            return new ColumnMetadata(answer.name(), answer.type());
        }
        AlbisColumnHandle stored = (AlbisColumnHandle) column;
        if (stored.isPart()) {
            return new ColumnMetadata(stored.name(), stored.type());
        }
        int id = stored.id();
        for (TableColumn tableColumn : load(table).version().columns()) {
            if (tableColumn.id() == id) {
                return TableDescriptions.columnMetadata(tableColumn);
            }
        }
        throw new IllegalArgumentException("Table %s has no column %s".formatted(table, column));
    }

    @Override
    public List<SchemaTableName> listTables(ConnectorSession session, Optional<String> schemaName)
    {
        return listing.listTables(schemaName);
    }

    @Override
    public Iterator<RelationColumnsMetadata> streamRelationColumns(ConnectorSession session, Optional<String> schemaName, UnaryOperator<Set<SchemaTableName>> relationFilter)
    {
        return listing.streamColumns(schemaName, relationFilter);
    }

    @Override
    public Iterator<RelationCommentMetadata> streamRelationComments(ConnectorSession session, Optional<String> schemaName, UnaryOperator<Set<SchemaTableName>> relationFilter)
    {
        return listing.streamComments(schemaName, relationFilter);
    }

    @Override
    public Optional<Object> getInfo(ConnectorSession session, ConnectorTableHandle table)
    {
        AlbisTable loaded = load(table);
        return Optional.of(new AlbisTableInfo(loaded.folder().toString(), loaded.version().version(), loaded.rowCount()));
    }

    @Override
    public void createTable(ConnectorSession session, ConnectorTableMetadata tableMetadata, SaveMode saveMode)
    {
        writes.createEmptyTable(tableMetadata, saveMode);
    }

    @Override
    public ConnectorOutputTableHandle beginCreateTable(
            ConnectorSession session,
            ConnectorTableMetadata tableMetadata,
            Optional<ConnectorTableLayout> layout,
            RetryMode retryMode,
            boolean replace)
    {
        return writes.beginCreate(session, tableMetadata, retryMode, replace);
    }

    @Override
    public Optional<ConnectorOutputMetadata> finishCreateTable(
            ConnectorSession session,
            ConnectorOutputTableHandle tableHandle,
            Collection<Slice> fragments,
            Collection<ComputedStatistics> computedStatistics)
    {
        writes.finishCreate((AlbisWritableTableHandle) tableHandle, fragments);
        return Optional.empty();
    }

    @Override
    public ConnectorInsertTableHandle beginInsert(ConnectorSession session, ConnectorTableHandle table, List<ColumnHandle> columns, RetryMode retryMode)
    {
        // The engine adds nulls for missing columns, in the order of the table, and rejects them in NOT NULL columns
        return writes.beginInsert(session, writable(table), retryMode);
    }

    @Override
    public Optional<ConnectorOutputMetadata> finishInsert(
            ConnectorSession session,
            ConnectorInsertTableHandle insertHandle,
            List<ConnectorTableHandle> sourceTableHandles,
            Collection<Slice> fragments,
            Collection<ComputedStatistics> computedStatistics)
    {
        writes.finishInsert((AlbisWritableTableHandle) insertHandle, sourceTableHandles, fragments);
        return Optional.empty();
    }

    @Override
    public WriterScalingOptions getNewTableWriterScalingOptions(ConnectorSession session, SchemaTableName tableName, Map<String, Object> tableProperties)
    {
        return WriterScalingOptions.ENABLED;
    }

    @Override
    public WriterScalingOptions getInsertWriterScalingOptions(ConnectorSession session, ConnectorTableHandle tableHandle)
    {
        return WriterScalingOptions.ENABLED;
    }

    @Override
    public void dropTable(ConnectorSession session, ConnectorTableHandle table)
    {
        if (table instanceof DamagedTableHandle damaged) {
            schemas.dropUnreadableTable(damaged.schemaTableName(), damaged.entry());
            return;
        }
        AlbisTable loaded = tables.load(writable(table));
        translateAction(() -> warehouse.dropTable(loaded));
        forget(table);
    }

    @Override
    public void renameTable(ConnectorSession session, ConnectorTableHandle table, SchemaTableName newName)
    {
        AlbisTable loaded = tables.load(writable(table));
        translate(() -> warehouse.renameTable(loaded, newName.getSchemaName(), newName.getTableName()));
        forget(table);
        tables.forget(newName);
    }

    /**
     * Records that a query reads columns of a table.
     *
     * @param columns ids of the columns that the scan returns
     * @param filtered ids of the columns by which rows are filtered
     */
    public void recordUsage(ConnectorSession session, AlbisTableHandle table, Set<Integer> columns, Set<Integer> filtered)
    {
        usage.record(session.getQueryId(), table.tableId(), columns, filtered);
    }

    /**
     * Removes the files of writes that are not committed.
     */
    public void rollback()
    {
        writes.rollback();
    }

    /**
     * Forgets what the transaction has read. This must be called when it ends.
     */
    public void end()
    {
        tables.end();
    }

    private AlbisTable load(ConnectorTableHandle table)
    {
        return tables.load(readable(table));
    }

    private void forget(ConnectorTableHandle table)
    {
        tables.forget(readable(table).schemaTableName());
    }
}
