package io.albis.trino.view;

import io.albis.format.type.TypeResolver;
import io.albis.table.Warehouse;
import io.albis.table.model.Materialization;
import io.albis.table.model.Materialization.Refresh;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.ViewDefinition;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.Change;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.relation.SupportedTypes;
import io.albis.trino.relation.TableDefinitionFactory;
import io.albis.trino.relation.TableDescriptions;
import io.albis.trino.relation.TableLoader;
import io.albis.trino.relation.TablePropertyChanges;
import io.trino.spi.TrinoException;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorMaterializedViewDefinition;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.MaterializedViewFreshness;
import io.trino.spi.connector.MaterializedViewNotFoundException;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeId;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.error.AlbisErrors.translateAction;
import static io.albis.trino.error.AlbisErrors.unreadableEntry;
import static java.util.Objects.requireNonNull;

/**
 * Finds, creates, and changes materialized views. Their rows are in the same folder as their definition, so a refresh
 * and a replacement are one commit.
 */
public class MaterializedViews
{
    private final CatalogName catalogName;
    private final Warehouse warehouse;
    private final TableLoader tables;
    private final TableDefinitionFactory definitions;
    private final TypeResolver types;
    private final ViewFreshness freshness;

    public MaterializedViews(CatalogName catalogName, Warehouse warehouse, TableLoader tables, TableDefinitionFactory definitions, TypeResolver types)
    {
        this.catalogName = requireNonNull(catalogName, "catalogName is null");
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.definitions = requireNonNull(definitions, "definitions is null");
        this.types = requireNonNull(types, "types is null");
        this.freshness = new ViewFreshness(tables);
    }

    /**
     * Returns the definition of a materialized view; empty if there is no such one, or if what the name refers to
     * cannot be loaded. The engine then looks for a table, which has the error.
     */
    public Optional<ConnectorMaterializedViewDefinition> find(SchemaTableName name)
    {
        try {
            return tables.findMaterializedView(name).map(this::toConnector);
        }
        catch (TrinoException e) {
            if (unreadableEntry(e).isEmpty()) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /**
     * Returns the definition of a materialized view that was loaded.
     */
    public ConnectorMaterializedViewDefinition toConnector(AlbisTable view)
    {
        return MaterializedViewDefinitions.toConnector(view, catalogName);
    }

    /**
     * Returns the properties of its rows with which CREATE MATERIALIZED VIEW creates it again.
     */
    public Map<String, Object> properties(SchemaTableName name)
    {
        return TableDescriptions.tableMetadata(load(name), definitions.columnGroupDefaults()).getProperties();
    }

    /**
     * Creates a materialized view without rows.
     *
     * @param replace whether to replace one of the same name, which then has no rows
     * @param ignoreExisting whether to keep one of the same name
     */
    public void create(SchemaTableName name, ConnectorMaterializedViewDefinition definition, Map<String, Object> properties, boolean replace, boolean ignoreExisting)
    {
        List<ColumnMetadata> columns = definition.getColumns().stream()
                .map(column -> ColumnMetadata.builder().setName(column.getName()).setType(storedType(column.getType())).build())
                .collect(toImmutableList());
        TableDefinition storage = definitions.create(new ConnectorTableMetadata(name, columns, properties));
        new RelationCreation(name, MaterializedViewDefinitions.toStored(definition), definition.getComment(), Optional.of(storage))
                .run(warehouse, tables, replace, ignoreExisting);
    }

    private Type storedType(TypeId typeId)
    {
        Type type = types.resolve(typeId.getId());
        return SupportedTypes.replacement(type).orElse(type);
    }

    public void drop(SchemaTableName name)
    {
        AlbisTable view = load(name);
        translateAction(() -> warehouse.dropTable(view));
        tables.forget(name);
    }

    public void rename(SchemaTableName source, SchemaTableName target)
    {
        AlbisTable view = load(source);
        translate(() -> warehouse.renameTable(view, target.getSchemaName(), target.getTableName()));
        tables.forget(source);
        tables.forget(target);
    }

    public void setColumnComment(SchemaTableName name, String columnName, Optional<String> comment)
    {
        alter(name, new Change.AlteredView(view -> view.withColumnComment(columnName, comment)));
    }

    /**
     * Sets the user with whose privileges the query of the materialized view reads tables.
     */
    public void setOwner(SchemaTableName name, String user)
    {
        alter(name, new Change.AlteredView(view -> view.withOwner(user)));
    }

    /**
     * Changes properties of the rows that later refreshes write.
     */
    public void setProperties(SchemaTableName name, Map<String, Optional<Object>> properties)
    {
        alter(name, TablePropertyChanges.of(properties, load(name).version().columns(), definitions.columnGroupDefaults()));
    }

    private void alter(SchemaTableName name, Change change)
    {
        AlbisTable view = load(name);
        translate(() -> warehouse.alter(view, change));
        tables.forget(name);
    }

    /**
     * Returns whether the rows of a materialized view are those of its query.
     *
     * @param now begin of the query, which accepts rows within the grace period; empty to compare the tables in any
     *         case
     */
    public MaterializedViewFreshness freshness(SchemaTableName name, Optional<Instant> now)
    {
        Materialization materialization = load(name).version().view().flatMap(ViewDefinition::materialized).orElseThrow();
        return freshness.of(materialization, now);
    }

    /**
     * Returns the rows that a refresh has to read and append, if that results in the rows of the query. The query has
     * no other steps than a scan, filters, and projections.
     *
     * @param storage handle of the storage table
     * @param sources handles of the tables that the query reads
     */
    public Optional<AppendedRows> appendedRows(AlbisTableHandle storage, List<ConnectorTableHandle> sources)
    {
        Optional<Refresh> last = tables.load(storage).version().view().flatMap(ViewDefinition::materialized).flatMap(Materialization::refresh);
        if (last.isEmpty() || sources.size() != 1 || !(sources.getFirst() instanceof AlbisTableHandle source) || source.chosen()) {
            return Optional.empty();
        }
        return translate(() -> AppendedRows.since(last.get(), tables.load(source), tables));
    }

    /**
     * Describes a refresh by the tables that its query reads.
     *
     * @param onlySources whether the query reads nothing else
     */
    public Refresh describeRefresh(Instant begin, List<ConnectorTableHandle> sources, boolean onlySources)
    {
        return RefreshSources.describe(tables, begin, sources, onlySources);
    }

    private AlbisTable load(SchemaTableName name)
    {
        return tables.findMaterializedView(name)
                .orElseThrow(() -> new MaterializedViewNotFoundException(name));
    }
}
