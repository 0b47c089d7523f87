package io.albis.trino.metadata;

import io.albis.trino.view.ViewOperations;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorViewDefinition;
import io.trino.spi.connector.RelationType;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.security.TrinoPrincipal;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.security.PrincipalType.USER;
import static java.util.Objects.requireNonNull;

/**
 * The metadata operations of views, and the listings that tell views from tables.
 */
abstract class ViewMetadata
        implements ConnectorMetadata
{
    private final SchemaOperations schemas;
    private final ViewOperations views;
    private final RelationListing listing;

    protected ViewMetadata(SchemaOperations schemas, ViewOperations views, RelationListing listing)
    {
        this.schemas = requireNonNull(schemas, "schemas is null");
        this.views = requireNonNull(views, "views is null");
        this.listing = requireNonNull(listing, "listing is null");
    }

    @Override
    public void createView(ConnectorSession session, SchemaTableName viewName, ConnectorViewDefinition definition, Map<String, Object> viewProperties, boolean replace)
    {
        views.create(viewName, definition, replace);
    }

    @Override
    public void renameView(ConnectorSession session, SchemaTableName source, SchemaTableName target)
    {
        views.rename(source, target);
    }

    @Override
    public void setViewAuthorization(ConnectorSession session, SchemaTableName viewName, TrinoPrincipal principal)
    {
        if (principal.getType() != USER) {
            throw new TrinoException(NOT_SUPPORTED, "This connector does not support roles, so the owner of a view must be a user");
        }
        views.setOwner(viewName, principal.getName());
    }

    @Override
    public void refreshView(ConnectorSession session, SchemaTableName viewName, ConnectorViewDefinition viewDefinition)
    {
        views.refresh(viewName, viewDefinition);
    }

    /**
     * Drops a view. If the view cannot be loaded, only its name is dropped.
     */
    @Override
    public void dropView(ConnectorSession session, SchemaTableName viewName)
    {
        try {
            views.drop(viewName);
        }
        catch (TrinoException e) {
            schemas.dropUnreadableTable(viewName, SchemaOperations.droppableEntry(e));
        }
    }

    @Override
    public void setViewComment(ConnectorSession session, SchemaTableName viewName, Optional<String> comment)
    {
        views.setComment(viewName, comment);
    }

    @Override
    public void setViewColumnComment(ConnectorSession session, SchemaTableName viewName, String columnName, Optional<String> comment)
    {
        views.setColumnComment(viewName, columnName, comment);
    }

    @Override
    public Optional<ConnectorViewDefinition> getView(ConnectorSession session, SchemaTableName viewName)
    {
        return views.find(viewName);
    }

    @Override
    public boolean isView(ConnectorSession session, SchemaTableName viewName)
    {
        return views.isView(viewName);
    }

    @Override
    public List<SchemaTableName> listViews(ConnectorSession session, Optional<String> schemaName)
    {
        return listing.listViews(schemaName);
    }

    @Override
    public Map<SchemaTableName, ConnectorViewDefinition> getViews(ConnectorSession session, Optional<String> schemaName)
    {
        return listing.views(schemaName);
    }

    @Override
    public Map<SchemaTableName, RelationType> getRelationTypes(ConnectorSession session, Optional<String> schemaName)
    {
        return listing.relationTypes(schemaName);
    }
}
