package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.ComparedColumns;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Copies of {@code store_sales} that are sorted, each by another column, and queries for the first and the last rows in
 * the order of a column. The copies have a schema of their own.
 */
public class SortedTables
{
    private static final String TABLE = "store_sales";

    private final BenchmarkServer server;
    private final TpcdsTables tables;

    public SortedTables(BenchmarkServer server, TpcdsTables tables)
    {
        this.server = requireNonNull(server, "server is null");
        this.tables = requireNonNull(tables, "tables is null");
    }

    /**
     * Creates the table and its sorted copies in the catalogs that do not have them.
     */
    public void prepare(List<BenchmarkCatalog> catalogs, List<String> sortColumns, Progress progress)
    {
        tables.prepare(catalogs, TABLE);
        TableLoader loader = new TableLoader(server, schema(), progress);
        for (BenchmarkCatalog catalog : catalogs) {
            for (String column : sortColumns) {
                SourceTable source = new SourceTable(tables.scale().schema(), TABLE);
                loader.load(catalog, name(column), "WITH (%s) %s".formatted(properties(catalog, column), source.copy()), source);
            }
        }
    }

    /**
     * Returns the properties of a sorted table. Trino-hive sorts only the rows of a bucket, so the table has a single
     * one.
     */
    private static String properties(BenchmarkCatalog catalog, String column)
    {
        String sorted = "sorted_by = ARRAY['%s']".formatted(column);
        return catalog.sortsOnlyBuckets() ? "bucketed_by = ARRAY['ss_item_sk'], bucket_count = 1, " + sorted : sorted;
    }

    /**
     * Returns two queries for each column, one from either end of its order.
     *
     * @param columns columns by which the queries sort the table as it is
     * @param sortColumns columns of the sorted copies, by which the queries sort these
     */
    public List<Task> queries(List<String> columns, List<String> sortColumns, int limit)
    {
        ImmutableList.Builder<Task> queries = ImmutableList.builder();
        for (String column : columns) {
            queries.add(query(column, tables.scale().schema(), TABLE, column, "", limit));
            queries.add(query(column + " DESC", tables.scale().schema(), TABLE, column, " DESC", limit));
        }
        for (String column : sortColumns) {
            queries.add(query(column + " (sorted)", schema(), name(column), column, "", limit));
            queries.add(query(column + " DESC (sorted)", schema(), name(column), column, " DESC", limit));
        }
        return queries.build();
    }

    private Task query(String name, String schema, String table, String column, String direction, int limit)
    {
        // Rows with equal values are returned in any order
        return new QueryTask(name, "SELECT * FROM %s ORDER BY %s%s LIMIT %s".formatted(table, column, direction, limit), schema, ComparedColumns.of(column), server);
    }

    private static String name(String column)
    {
        return "%s_by_%s".formatted(TABLE, column);
    }

    private String schema()
    {
        return tables.scale().schema() + "_sorted";
    }
}
