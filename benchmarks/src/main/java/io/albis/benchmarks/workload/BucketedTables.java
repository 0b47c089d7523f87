package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;

import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.server.ComparedColumns.ALL;
import static java.util.Objects.requireNonNull;

/**
 * The tables {@code orders} and {@code lineitem} of TPC-H in buckets of the key of an order, and queries that need all
 * rows of an order in one place.
 */
public class BucketedTables
{
    private static final List<String> TABLES = ImmutableList.of("orders", "lineitem");
    private static final String KEY = "orderkey";
    private static final Map<String, String> QUERIES = ImmutableMap.<String, String>builder()
            .put("join", "SELECT count(*), sum(l.extendedprice), max(o.totalprice) FROM lineitem l JOIN orders o ON l.orderkey = o.orderkey")
            .put("left join", "SELECT count(*), count(l.orderkey) FROM orders o LEFT JOIN lineitem l ON o.orderkey = l.orderkey AND l.quantity > 45")
            .put("semi join", "SELECT count(*) FROM orders WHERE orderkey IN (SELECT orderkey FROM lineitem WHERE quantity > 45)")
            .put("GROUP BY", "SELECT count(*), max(price) FROM (SELECT orderkey, sum(extendedprice) price FROM lineitem GROUP BY orderkey)")
            .put("DISTINCT", "SELECT count(*) FROM (SELECT DISTINCT orderkey, linestatus FROM lineitem)")
            .put("join and GROUP BY", "SELECT count(*), sum(quantity) FROM (SELECT o.orderkey, o.custkey, sum(l.quantity) quantity FROM orders o JOIN lineitem l ON o.orderkey = l.orderkey GROUP BY o.orderkey, o.custkey HAVING sum(l.quantity) > 250)")
            .put("window", "SELECT count(*), sum(extendedprice) FROM (SELECT extendedprice, row_number() OVER (PARTITION BY orderkey ORDER BY linenumber) number FROM lineitem) WHERE number = 1")
            .buildOrThrow();

    private final BenchmarkServer server;
    private final String sourceSchema;
    private final int buckets;

    /**
     * Describes the tables.
     *
     * @param sourceSchema schema with the tables of TPC-H in the source catalog
     */
    public BucketedTables(BenchmarkServer server, String sourceSchema, int buckets)
    {
        this.server = requireNonNull(server, "server is null");
        this.sourceSchema = requireNonNull(sourceSchema, "sourceSchema is null");
        checkArgument(buckets > 0, "buckets is not positive");
        this.buckets = buckets;
    }

    /**
     * Loads the tables that the catalogs do not have.
     */
    public void prepare(List<BenchmarkCatalog> catalogs, Progress progress)
    {
        TableLoader loader = new TableLoader(server, schema(sourceSchema, buckets), progress);
        for (BenchmarkCatalog catalog : catalogs) {
            for (String table : TABLES) {
                SourceTable source = new SourceTable(sourceSchema, table);
                loader.load(catalog, table, "WITH (%s) %s".formatted(catalog.bucketProperties(KEY, buckets), source.copy()), source);
            }
        }
    }

    public List<Task> queries()
    {
        return QUERIES.entrySet().stream()
                .map(query -> new QueryTask(query.getKey(), query.getValue(), schema(sourceSchema, buckets), ALL, server))
                .collect(toImmutableList());
    }

    /**
     * Returns the schema of the tables with a number of buckets.
     */
    public static String schema(String sourceSchema, int buckets)
    {
        return "%s_buckets_%s".formatted(sourceSchema, buckets);
    }
}
