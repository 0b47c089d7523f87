package io.albis.trino.view;

import io.albis.table.model.ViewDefinition;
import io.albis.table.version.AlbisTable;
import io.trino.spi.connector.CatalogSchemaName;
import io.trino.spi.connector.ConnectorViewDefinition;
import io.trino.spi.type.TypeId;

import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Converts the definitions of views from and to those of the engine.
 */
public final class ViewDefinitions
{
    private ViewDefinitions() {}

    /**
     * Returns the stored definition, without the comment, which the version of a view stores as that of a table.
     */
    static ViewDefinition toStored(ConnectorViewDefinition definition)
    {
        return new ViewDefinition(
                definition.getOriginalSql(),
                definition.getCatalog(),
                definition.getSchema(),
                definition.getColumns().stream()
                        .map(column -> new ViewDefinition.ViewColumn(column.getName(), column.getType().getId(), column.getComment()))
                        .collect(toImmutableList()),
                definition.getOwner(),
                definition.isRunAsInvoker(),
                definition.getPath().stream()
                        .map(schema -> new ViewDefinition.PathSchema(schema.getCatalogName(), schema.getSchemaName()))
                        .collect(toImmutableList()),
                Optional.empty());
    }

    /**
     * Returns the definition of a view that was loaded.
     */
    public static ConnectorViewDefinition toConnector(AlbisTable view)
    {
        ViewDefinition stored = view.version().view().orElseThrow();
        Optional<String> comment = view.version().comment();
        return new ConnectorViewDefinition(
                stored.sql(),
                stored.catalog(),
                stored.schema(),
                stored.columns().stream()
                        .map(column -> new ConnectorViewDefinition.ViewColumn(column.name(), TypeId.of(column.type()), column.comment()))
                        .collect(toImmutableList()),
                comment,
                stored.owner(),
                stored.runAsInvoker(),
                stored.path().stream()
                        .map(schema -> new CatalogSchemaName(schema.catalog(), schema.schema()))
                        .collect(toImmutableList()));
    }
}
