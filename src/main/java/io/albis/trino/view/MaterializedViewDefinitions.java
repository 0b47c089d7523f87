package io.albis.trino.view;

import io.albis.table.model.Materialization;
import io.albis.table.model.ViewDefinition;
import io.albis.table.version.AlbisTable;
import io.albis.trino.relation.StorageTables;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.CatalogSchemaName;
import io.trino.spi.connector.CatalogSchemaTableName;
import io.trino.spi.connector.ConnectorMaterializedViewDefinition;
import io.trino.spi.connector.ConnectorMaterializedViewDefinition.WhenStaleBehavior;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.type.TypeId;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Converts the definitions of materialized views from and to those of the engine.
 */
public final class MaterializedViewDefinitions
{
    private MaterializedViewDefinitions() {}

    /**
     * Returns the stored definition before the first refresh, without the comment, which the version stores as that of
     * a table.
     */
    static ViewDefinition toStored(ConnectorMaterializedViewDefinition definition)
    {
        return new ViewDefinition(
                definition.getOriginalSql(),
                definition.getCatalog(),
                definition.getSchema(),
                definition.getColumns().stream()
                        .map(column -> new ViewDefinition.ViewColumn(column.getName(), column.getType().getId(), column.getComment()))
                        .collect(toImmutableList()),
                definition.getOwner(),
                false,
                definition.getPath().stream()
                        .map(schema -> new ViewDefinition.PathSchema(schema.getCatalogName(), schema.getSchemaName()))
                        .collect(toImmutableList()),
                Optional.of(new Materialization(
                        definition.getGracePeriod().map(Duration::toMillis),
                        definition.getWhenStaleBehavior().equals(Optional.of(WhenStaleBehavior.FAIL)),
                        Optional.empty())));
    }

    /**
     * Returns the definition of a materialized view that was loaded.
     */
    public static ConnectorMaterializedViewDefinition toConnector(AlbisTable view, CatalogName catalogName)
    {
        ViewDefinition stored = view.version().view().orElseThrow();
        Materialization materialization = stored.materialized().orElseThrow();
        SchemaTableName storage = StorageTables.storageOf(new SchemaTableName(view.schemaName(), view.tableName()));
        return new ConnectorMaterializedViewDefinition(
                stored.sql(),
                Optional.of(new CatalogSchemaTableName(catalogName.toString(), storage)),
                stored.catalog(),
                stored.schema(),
                columns(view),
                materialization.gracePeriodMillis().map(Duration::ofMillis),
                Optional.of(materialization.failWhenStale() ? WhenStaleBehavior.FAIL : WhenStaleBehavior.INLINE),
                view.version().comment(),
                stored.owner(),
                stored.path().stream()
                        .map(schema -> new CatalogSchemaName(schema.catalog(), schema.schema()))
                        .collect(toImmutableList()));
    }

    public static List<ConnectorMaterializedViewDefinition.Column> columns(AlbisTable view)
    {
        return view.version().view().orElseThrow().columns().stream()
                .map(column -> new ConnectorMaterializedViewDefinition.Column(column.name(), TypeId.of(column.type()), column.comment()))
                .collect(toImmutableList());
    }
}
