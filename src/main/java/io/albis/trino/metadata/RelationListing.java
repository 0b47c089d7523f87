package io.albis.trino.metadata;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import com.google.common.collect.Streams;
import io.airlift.log.Logger;
import io.albis.table.Warehouse;
import io.albis.table.version.AlbisTable;
import io.albis.trino.relation.TableDescriptions;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.connector.RelationColumnsMetadata;
import io.trino.spi.connector.RelationCommentMetadata;
import io.trino.spi.connector.SchemaTableName;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.put.Interruptions.isInterrupted;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.trino.plugin.base.util.ExecutorUtil.processWithAdditionalThreads;
import static java.util.Objects.requireNonNull;

/**
 * Lists tables for information_schema and SHOW. A listing skips tables that were dropped, are damaged, or whose
 * storage fails, because the other tables must still be listed.
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

    public List<SchemaTableName> listTables(Optional<String> schemaName)
    {
        if (schemaName.isPresent()) {
            return listTables(schemaName.get());
        }
        ImmutableList.Builder<SchemaTableName> names = ImmutableList.builder();
        for (String schema : translate(warehouse::listSchemas)) {
            try {
                names.addAll(listTables(schema));
            }
            catch (RuntimeException e) {
                checkNotInterrupted(e);
                log.warn(e, "A listing of all schemas skips the tables of schema %s", schema);
            }
        }
        return names.build();
    }

    private List<SchemaTableName> listTables(String schemaName)
    {
        return translate(() -> warehouse.listTables(schemaName)).stream()
                .map(table -> new SchemaTableName(schemaName, table))
                .collect(toImmutableList());
    }

    public Iterator<RelationColumnsMetadata> streamColumns(Optional<String> schemaName, UnaryOperator<Set<SchemaTableName>> relationFilter)
    {
        return stream(schemaName, relationFilter, table -> RelationColumnsMetadata.forTable(
                new SchemaTableName(table.schemaName(), table.tableName()),
                TableDescriptions.columnMetadata(table)));
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
