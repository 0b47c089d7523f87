package io.albis.trino.metadata;

import io.airlift.slice.Slice;
import io.albis.table.model.Materialization.Refresh;
import io.albis.table.version.ManifestSelection;
import io.albis.table.version.RowGroupPieces;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.relation.StorageTables;
import io.albis.trino.view.AppendedRows;
import io.albis.trino.view.MaterializedViews;
import io.albis.trino.view.ViewOperations;
import io.albis.trino.write.TableWrites;
import io.trino.spi.RefreshType;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorInsertTableHandle;
import io.trino.spi.connector.ConnectorMaterializedViewDefinition;
import io.trino.spi.connector.ConnectorOutputMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.MaterializedViewFreshness;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.security.TrinoPrincipal;
import io.trino.spi.statistics.ComputedStatistics;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.trino.metadata.TableHandles.readable;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.security.PrincipalType.USER;
import static java.util.Objects.requireNonNull;

/**
 * The metadata operations of materialized views.
 */
abstract class MaterializedViewMetadata
        extends ViewMetadata
{
    private final MaterializedViews views;
    private final RelationListing listing;
    private final TableWrites writes;
    // what the refresh of this transaction reads of a table; empty if it reads everything
    private volatile Optional<AppendedRows> appendedRows = Optional.empty();

    protected MaterializedViewMetadata(SchemaOperations schemas, ViewOperations views, MaterializedViews materializedViews, RelationListing listing, TableWrites writes)
    {
        super(schemas, views, listing);
        this.views = requireNonNull(materializedViews, "materializedViews is null");
        this.listing = requireNonNull(listing, "listing is null");
        this.writes = requireNonNull(writes, "writes is null");
    }

    @Override
    public void createMaterializedView(
            ConnectorSession session,
            SchemaTableName viewName,
            ConnectorMaterializedViewDefinition definition,
            Map<String, Object> properties,
            boolean replace,
            boolean ignoreExisting)
    {
        views.create(viewName, definition, properties, replace, ignoreExisting);
    }

    @Override
    public void dropMaterializedView(ConnectorSession session, SchemaTableName viewName)
    {
        views.drop(viewName);
    }

    @Override
    public void renameMaterializedView(ConnectorSession session, SchemaTableName source, SchemaTableName target)
    {
        views.rename(source, target);
    }

    @Override
    public void setMaterializedViewColumnComment(ConnectorSession session, SchemaTableName viewName, String columnName, Optional<String> comment)
    {
        views.setColumnComment(viewName, columnName, comment);
    }

    @Override
    public void setMaterializedViewProperties(ConnectorSession session, SchemaTableName viewName, Map<String, Optional<Object>> properties)
    {
        views.setProperties(viewName, properties);
    }

    @Override
    public void setMaterializedViewAuthorization(ConnectorSession session, SchemaTableName viewName, TrinoPrincipal principal)
    {
        if (principal.getType() != USER) {
            throw new TrinoException(NOT_SUPPORTED, "This connector does not support roles, so the owner of a materialized view must be a user");
        }
        views.setOwner(viewName, principal.getName());
    }

    @Override
    public List<SchemaTableName> listMaterializedViews(ConnectorSession session, Optional<String> schemaName)
    {
        return listing.listMaterializedViews(schemaName);
    }

    @Override
    public Map<SchemaTableName, ConnectorMaterializedViewDefinition> getMaterializedViews(ConnectorSession session, Optional<String> schemaName)
    {
        return listing.materializedViews(schemaName, views::toConnector);
    }

    @Override
    public Optional<ConnectorMaterializedViewDefinition> getMaterializedView(ConnectorSession session, SchemaTableName viewName)
    {
        return views.find(viewName);
    }

    @Override
    public Map<String, Object> getMaterializedViewProperties(ConnectorSession session, SchemaTableName viewName, ConnectorMaterializedViewDefinition materializedViewDefinition)
    {
        return views.properties(viewName);
    }

    @Override
    public MaterializedViewFreshness getMaterializedViewFreshness(ConnectorSession session, SchemaTableName name, boolean considerGracePeriod)
    {
        return views.freshness(name, considerGracePeriod ? Optional.of(session.getStart()) : Optional.empty());
    }

    @Override
    @SuppressWarnings("removal")
    public MaterializedViewFreshness getMaterializedViewFreshness(ConnectorSession session, SchemaTableName name)
    {
        return views.freshness(name, Optional.empty());
    }

    @Override
    @SuppressWarnings("removal")
    public boolean delegateMaterializedViewRefreshToConnector(ConnectorSession session, SchemaTableName viewName)
    {
        return false;
    }

    @Override
    public ConnectorInsertTableHandle beginRefreshMaterializedView(
            ConnectorSession session,
            ConnectorTableHandle tableHandle,
            List<ConnectorTableHandle> sourceTableHandles,
            boolean hasForeignSourceTables,
            RetryMode retryMode,
            RefreshType refreshType)
    {
        AlbisTableHandle storage = storage(tableHandle);
        Optional<AppendedRows> appended = refreshType == RefreshType.INCREMENTAL && !hasForeignSourceTables ?
                views.appendedRows(session, storage, sourceTableHandles) :
                Optional.empty();
        appendedRows = appended;
        return writes.beginRefresh(session, storage, retryMode, appended.isPresent());
    }

    /**
     * Returns the row groups that the transaction reads of a table.
     *
     * @param all its row groups that a predicate selects
     */
    protected final ManifestSelection select(AlbisTableHandle table, ManifestSelection all)
    {
        return appendedRows.filter(rows -> rows.tableId().equals(table.tableId()))
                .map(rows -> rows.select(all))
                .orElse(all);
    }

    /**
     * Returns the row groups that the transaction reads of a table piece by piece.
     *
     * @param all a scan of all its row groups
     */
    protected final RowGroupPieces select(AlbisTableHandle table, RowGroupPieces all)
    {
        return appendedRows.filter(rows -> rows.tableId().equals(table.tableId()))
                .map(rows -> all.map(rows::select))
                .orElse(all);
    }

    @Override
    public Optional<ConnectorOutputMetadata> finishRefreshMaterializedView(
            ConnectorSession session,
            ConnectorTableHandle tableHandle,
            ConnectorInsertTableHandle insertHandle,
            Collection<Slice> fragments,
            Collection<ComputedStatistics> computedStatistics,
            List<ConnectorTableHandle> sourceTableHandles,
            boolean hasForeignSourceTables,
            boolean hasSourceTableFunctions,
            boolean hasNonDeterministicFunctions)
    {
        boolean onlySources = !(hasForeignSourceTables || hasSourceTableFunctions || hasNonDeterministicFunctions);
        Refresh refresh = views.describeRefresh(session, storage(tableHandle), sourceTableHandles, onlySources);
        writes.finishRefresh((AlbisWritableTableHandle) insertHandle, refresh, fragments);
        return Optional.empty();
    }

    private static AlbisTableHandle storage(ConnectorTableHandle tableHandle)
    {
        AlbisTableHandle handle = readable(tableHandle);
        checkArgument(StorageTables.isStorage(handle.schemaTableName()), "not the storage table of a materialized view: %s", handle);
        return handle;
    }
}
