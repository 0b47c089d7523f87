package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.airlift.log.Logger;
import io.albis.table.AlbisTable;
import io.albis.table.Warehouse;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.RelationColumnsMetadata;
import io.trino.spi.connector.RelationCommentMetadata;
import io.trino.spi.connector.SchemaTableName;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.trino.AlbisErrors.isUnreadable;
import static io.albis.trino.AlbisErrors.translate;
import static java.util.Objects.requireNonNull;

/**
 * What information_schema and SHOW list. A table that is gone or damaged is left out: the others must still be listed.
 */
class RelationListing
{
    private static final Logger log = Logger.get(RelationListing.class);

    private final Warehouse warehouse;
    private final TableLoader tables;

    public RelationListing(Warehouse warehouse, TableLoader tables)
    {
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.tables = requireNonNull(tables, "tables is null");
    }

    public List<SchemaTableName> listTables(Optional<String> schemaName)
    {
        List<String> schemas = schemaName
                .<List<String>>map(ImmutableList::of)
                .orElseGet(() -> translate(warehouse::listSchemas));
        ImmutableList.Builder<SchemaTableName> names = ImmutableList.builder();
        for (String schema : schemas) {
            for (String table : translate(() -> warehouse.listTables(schema))) {
                names.add(new SchemaTableName(schema, table));
            }
        }
        return names.build();
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
        Set<SchemaTableName> names = listTables(schemaName).stream()
                .collect(toImmutableSet());
        return relationFilter.apply(names).stream()
                .map(this::tryLoad)
                .flatMap(Optional::stream)
                .map(description)
                .iterator();
    }

    private Optional<AlbisTable> tryLoad(SchemaTableName name)
    {
        try {
            return tables.find(name);
        }
        catch (TrinoException e) {
            if (!isUnreadable(e)) {
                throw e;
            }
            // one such table is not to take all the others with it
            log.warn(e, "Table %s is left out of a listing", name);
            return Optional.empty();
        }
    }
}
