package io.albis.trino.view;

import io.airlift.log.Logger;
import io.albis.format.type.TypeResolver;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseViews.Kind;
import io.albis.table.model.Materialization;
import io.albis.table.model.Materialization.Refresh;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.ViewDefinition;
import io.albis.table.name.NameEntry;
import io.albis.table.version.AlbisTable;
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
import io.trino.spi.connector.ConnectorSession;
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
import static io.albis.table.put.Interruptions.isInterrupted;
import static io.albis.trino.error.AlbisErrors.isStorageFailure;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.error.AlbisErrors.unreadableEntry;
import static java.util.Objects.requireNonNull;

/**
 * Finds, creates, and changes materialized views. Their rows are in the same folder as their definition, so a refresh
 * and a replacement are one commit.
 */
public class MaterializedViews
{
    private static final Logger log = Logger.get(MaterializedViews.class);

    private final CatalogName catalogName;
    private final Warehouse warehouse;
    private final TableLoader tables;
    private final TableDefinitionFactory definitions;
    private final TypeResolver types;
    private final ExpandedViews expanded;
    private final ViewFreshness freshness;
    private final RefreshSources sources;
    private final ViewChanges changes;

    public MaterializedViews(CatalogName catalogName, Warehouse warehouse, TableLoader tables, TableDefinitionFactory definitions, TypeResolver types, ExpandedViews expanded)
    {
        this.catalogName = requireNonNull(catalogName, "catalogName is null");
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.definitions = requireNonNull(definitions, "definitions is null");
        this.types = requireNonNull(types, "types is null");
        this.expanded = requireNonNull(expanded, "expanded is null");
        this.freshness = new ViewFreshness(tables);
        this.sources = new RefreshSources(tables, expanded, freshness);
        this.changes = new ViewChanges(warehouse, tables, this::load);
    }

    /**
     * Returns the definition of a materialized view; empty if none exists, or if the object with this name cannot be
     * loaded. The engine then looks for a table, and reports the error.
     *
     * @throws TrinoException if the storage of a materialized view fails. It would otherwise seem to be dropped
     */
    public Optional<ConnectorMaterializedViewDefinition> find(SchemaTableName name)
    {
        try {
            Optional<AlbisTable> view = tables.findMaterializedView(name);
            view.ifPresent(expanded::add);
            return view.map(this::toConnector);
        }
        catch (TrinoException e) {
            Optional<NameEntry> entry = unreadableEntry(e);
            if (entry.isEmpty() || (isStorageFailure(e) && kind(name, entry.get()) == Kind.MATERIALIZED_VIEW)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private Kind kind(SchemaTableName name, NameEntry entry)
    {
        return translate(() -> warehouse.views().kind(name.getTableName(), entry));
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
        changes.drop(name);
    }

    public void rename(SchemaTableName source, SchemaTableName target)
    {
        changes.rename(source, target);
    }

    public void setColumnComment(SchemaTableName name, String columnName, Optional<String> comment)
    {
        changes.setColumnComment(name, columnName, comment);
    }

    /**
     * Sets the user with whose privileges the query of the materialized view reads tables if it runs instead of the
     * rows being read. A refresh has those of the user who runs it.
     */
    public void setOwner(SchemaTableName name, String user)
    {
        changes.setOwner(name, user);
    }

    /**
     * Changes properties of the rows that later refreshes write.
     */
    public void setProperties(SchemaTableName name, Map<String, Optional<Object>> properties)
    {
        changes.alter(name, TablePropertyChanges.ofMaterializedView(properties, load(name).version().columns(), definitions.columnGroupDefaults()));
    }

    /**
     * Returns whether the rows of a materialized view are those of its query.
     *
     * @param now begin of the query, which accepts rows within the grace period; empty to compare the tables in any
     *         case
     */
    public MaterializedViewFreshness freshness(SchemaTableName name, Optional<Instant> now)
    {
        return freshness.of(load(name), now);
    }

    /**
     * Returns the rows that a refresh has to read and append, if that results in the rows of the query. The query has
     * no other steps than a scan, filters, and projections.
     *
     * @param storage handle of the storage table
     * @param sourceTables handles of the tables that the query reads
     */
    public Optional<AppendedRows> appendedRows(ConnectorSession session, AlbisTableHandle storage, List<ConnectorTableHandle> sourceTables)
    {
        AlbisTable view = tables.load(storage);
        Optional<Refresh> last = view.version().view().flatMap(ViewDefinition::materialized).flatMap(Materialization::refresh);
        if (last.isEmpty() || sourceTables.size() != 1 || !(sourceTables.getFirst() instanceof AlbisTableHandle source) || source.chosen() || !source.returnsAllRows()) {
            return Optional.empty();
        }
        Refresh next = sources.describe(session, view, sourceTables, true);
        if (!next.complete() || !next.session().equals(last.get().session()) || !next.views().equals(last.get().views())) {
            return Optional.empty();
        }
        try {
            return translate(() -> AppendedRows.since(last.get(), tables.load(source), tables));
        }
        catch (TrinoException e) {
            if (isInterrupted(e)) {
                throw e;
            }
            log.warn(e, "The refresh of %s reads all rows, because those that the last one has read are not known", storage.schemaTableName());
            return Optional.empty();
        }
    }

    /**
     * Describes a refresh by the tables and views that its query reads.
     *
     * @param storage handle of the storage table
     * @param onlySources whether the query reads nothing else
     */
    public Refresh describeRefresh(ConnectorSession session, AlbisTableHandle storage, List<ConnectorTableHandle> sourceTables, boolean onlySources)
    {
        return sources.describe(session, tables.load(storage), sourceTables, onlySources);
    }

    private AlbisTable load(SchemaTableName name)
    {
        return tables.findMaterializedView(name)
                .orElseThrow(() -> new MaterializedViewNotFoundException(name));
    }
}
