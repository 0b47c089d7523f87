package io.albis.trino.metadata;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import com.google.common.collect.Maps;
import com.google.common.collect.Streams;
import io.airlift.log.Logger;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseViews.Kind;
import io.albis.table.WarehouseViews.ListedName;
import io.albis.table.version.AlbisTable;
import io.albis.trino.relation.TableDescriptions;
import io.albis.trino.relation.TableLoader;
import io.albis.trino.view.MaterializedViewDefinitions;
import io.albis.trino.view.ViewDefinitions;
import io.trino.spi.connector.ConnectorMaterializedViewDefinition;
import io.trino.spi.connector.ConnectorViewDefinition;
import io.trino.spi.connector.RelationColumnsMetadata;
import io.trino.spi.connector.RelationCommentMetadata;
import io.trino.spi.connector.RelationType;
import io.trino.spi.connector.SchemaTableName;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.put.Interruptions.isInterrupted;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.trino.plugin.base.util.ExecutorUtil.processWithAdditionalThreads;
import static java.util.Objects.requireNonNull;
import static java.util.function.Function.identity;

/**
 * Lists tables and views for information_schema and SHOW. A listing skips those that were dropped, are damaged, or
 * whose storage fails, because the others must still be listed.
 */
class RelationListing
{
    private static final Logger log = Logger.get(RelationListing.class);

    // the listing of a large catalog returns its first tables before it has loaded the last
    private static final int BATCH_SIZE = 1000;

    private final Warehouse warehouse;
    private final TableLoader tables;
    private final Executor executor;

    /**
     * Creates a listing of the tables of a warehouse.
     *
     * @param executor loads tables in addition to the calling thread, which loads all of them if the executor is busy
     */
    public RelationListing(Warehouse warehouse, TableLoader tables, Executor executor)
    {
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    /**
     * A name that refers to a table or a view.
     *
     * @param entry entry of the name, which may say which one it is
     */
    private record Listed(SchemaTableName name, ListedName entry)
    {
        private boolean mayBeView()
        {
            return entry.mayBeView();
        }
    }

    /**
     * Returns the names of tables and views.
     */
    public List<SchemaTableName> listTables(Optional<String> schemaName)
    {
        return list(schemaName).stream()
                .map(Listed::name)
                .collect(toImmutableList());
    }

    /**
     * Returns the names of tables and views, and which of both they are. Reads a file for each view and none for a
     * table.
     */
    public Map<SchemaTableName, RelationType> relationTypes(Optional<String> schemaName)
    {
        List<Listed> names = list(schemaName);
        Map<SchemaTableName, Kind> kinds = viewKinds(names);
        ImmutableMap.Builder<SchemaTableName, RelationType> types = ImmutableMap.builder();
        for (Listed listed : names) {
            types.put(listed.name(), switch (kinds.getOrDefault(listed.name(), Kind.TABLE)) {
                case TABLE -> RelationType.TABLE;
                case VIEW -> RelationType.VIEW;
                case MATERIALIZED_VIEW -> RelationType.MATERIALIZED_VIEW;
            });
        }
        return types.buildOrThrow();
    }

    public List<SchemaTableName> listViews(Optional<String> schemaName)
    {
        return names(schemaName, Kind.VIEW);
    }

    public List<SchemaTableName> listMaterializedViews(Optional<String> schemaName)
    {
        return names(schemaName, Kind.MATERIALIZED_VIEW);
    }

    private List<SchemaTableName> names(Optional<String> schemaName, Kind kind)
    {
        return ImmutableList.copyOf(Maps.filterValues(viewKinds(list(schemaName)), kind::equals).keySet());
    }

    /**
     * Returns the definitions of views.
     */
    public Map<SchemaTableName, ConnectorViewDefinition> views(Optional<String> schemaName)
    {
        return definitions(listViews(schemaName), RelationListing::isView, ViewDefinitions::toConnector);
    }

    private static boolean isView(AlbisTable relation)
    {
        return relation.version().isView() && !relation.version().isMaterializedView();
    }

    /**
     * Returns the definitions of materialized views.
     */
    public Map<SchemaTableName, ConnectorMaterializedViewDefinition> materializedViews(Optional<String> schemaName, Function<AlbisTable, ConnectorMaterializedViewDefinition> definition)
    {
        return definitions(listMaterializedViews(schemaName), relation -> relation.version().isMaterializedView(), definition);
    }

    private <T> Map<SchemaTableName, T> definitions(List<SchemaTableName> names, Predicate<AlbisTable> isExpected, Function<AlbisTable, T> definition)
    {
        // another transaction may have replaced what the name refers to
        List<Optional<Optional<T>>> found = describe(names, relation -> isExpected.test(relation) ? Optional.of(definition.apply(relation)) : Optional.empty());
        ImmutableMap.Builder<SchemaTableName, T> definitions = ImmutableMap.builder();
        for (int i = 0; i < names.size(); i++) {
            SchemaTableName name = names.get(i);
            found.get(i).flatMap(identity()).ifPresent(value -> definitions.put(name, value));
        }
        return definitions.buildOrThrow();
    }

    /**
     * Returns what the names refer to that may refer to views.
     */
    private Map<SchemaTableName, Kind> viewKinds(List<Listed> names)
    {
        List<Listed> marked = names.stream()
                .filter(Listed::mayBeView)
                .collect(toImmutableList());
        List<Callable<Kind>> tasks = marked.stream()
                .map(listed -> (Callable<Kind>) () -> kind(listed))
                .collect(toImmutableList());
        List<Kind> kinds = callAll(tasks);
        ImmutableMap.Builder<SchemaTableName, Kind> result = ImmutableMap.builder();
        for (int i = 0; i < marked.size(); i++) {
            result.put(marked.get(i).name(), kinds.get(i));
        }
        return result.buildOrThrow();
    }

    private Kind kind(Listed listed)
    {
        return translate(() -> warehouse.views().kind(listed.entry().name(), listed.entry().entry()));
    }

    private List<Listed> list(Optional<String> schemaName)
    {
        if (schemaName.isPresent()) {
            return list(schemaName.get());
        }
        ImmutableList.Builder<Listed> names = ImmutableList.builder();
        for (String schema : translate(warehouse::listSchemas)) {
            try {
                names.addAll(list(schema));
            }
            catch (RuntimeException e) {
                checkNotInterrupted(e);
                log.warn(e, "A listing of all schemas skips the tables of schema %s", schema);
            }
        }
        return names.build();
    }

    private List<Listed> list(String schemaName)
    {
        return translate(() -> warehouse.views().list(schemaName)).stream()
                .map(listed -> new Listed(new SchemaTableName(schemaName, listed.name()), listed))
                .collect(toImmutableList());
    }

    public Iterator<RelationColumnsMetadata> streamColumns(Optional<String> schemaName, UnaryOperator<Set<SchemaTableName>> relationFilter)
    {
        return stream(schemaName, relationFilter, RelationListing::columns);
    }

    private static RelationColumnsMetadata columns(AlbisTable relation)
    {
        SchemaTableName name = new SchemaTableName(relation.schemaName(), relation.tableName());
        if (relation.version().isMaterializedView()) {
            return RelationColumnsMetadata.forMaterializedView(name, MaterializedViewDefinitions.columns(relation));
        }
        if (relation.version().isView()) {
            return RelationColumnsMetadata.forView(name, ViewDefinitions.toConnector(relation).getColumns());
        }
        return RelationColumnsMetadata.forTable(name, TableDescriptions.columnMetadata(relation));
    }

    public Iterator<RelationCommentMetadata> streamComments(Optional<String> schemaName, UnaryOperator<Set<SchemaTableName>> relationFilter)
    {
        return stream(schemaName, relationFilter, table -> RelationCommentMetadata.forRelation(
                new SchemaTableName(table.schemaName(), table.tableName()),
                table.version().comment()));
    }

    private <T> Iterator<T> stream(Optional<String> schemaName, UnaryOperator<Set<SchemaTableName>> relationFilter, Function<AlbisTable, T> description)
    {
        Set<SchemaTableName> names = relationFilter.apply(ImmutableSet.copyOf(listTables(schemaName)));
        return Streams.stream(Iterables.partition(names, BATCH_SIZE))
                .flatMap(batch -> describe(batch, description).stream())
                .flatMap(Optional::stream)
                .iterator();
    }

    private <T> List<Optional<T>> describe(List<SchemaTableName> names, Function<AlbisTable, T> description)
    {
        List<Callable<Optional<T>>> tasks = names.stream()
                .map(name -> (Callable<Optional<T>>) () -> tryDescribe(name, description))
                .collect(toImmutableList());
        return callAll(tasks);
    }

    private <T> List<T> callAll(List<Callable<T>> tasks)
    {
        try {
            return processWithAdditionalThreads(tasks, executor);
        }
        catch (ExecutionException e) {
            throwIfUnchecked(e.getCause());
            throw new IllegalStateException(e.getCause());
        }
    }

    private <T> Optional<T> tryDescribe(SchemaTableName name, Function<AlbisTable, T> description)
    {
        try {
            return tables.findForListing(name).map(description);
        }
        catch (RuntimeException e) {
            // any runtime exception, because file systems do not agree on the exceptions that they throw
            checkNotInterrupted(e);
            log.warn(e, "A listing skips table %s", name);
            return Optional.empty();
        }
    }

    /**
     * Throws the failure if it is an interruption. A canceled query must end, and its interruption does not mean that
     * the table is unreadable.
     */
    private static void checkNotInterrupted(RuntimeException failure)
    {
        if (isInterrupted(failure)) {
            throw failure;
        }
    }
}
