package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.ComparedColumns;
import io.trino.testing.MaterializedResult;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * A copy of {@code store_sales} with a unique key in random order. The rows have the order of {@code store_sales},
 * which is not that of the columns by which the queries filter. In Albis, these columns have an index.
 */
public class LookupTable
{
    private static final String KEY_COLUMN = "k";
    public static final String TABLE = "lookup";
    public static final List<String> INDEXED = ImmutableList.of(KEY_COLUMN, "ss_customer_sk", "ss_item_sk", "ss_addr_sk");

    private static final String SOURCE_TABLE = "store_sales";
    private static final String KEY = "from_big_endian_64(xxhash64(to_utf8(concat(CAST(ss_item_sk AS varchar), '-', CAST(ss_ticket_number AS varchar)))))";

    private final BenchmarkServer server;
    private final TpcdsTables tables;

    public LookupTable(BenchmarkServer server, TpcdsTables tables)
    {
        this.server = requireNonNull(server, "server is null");
        this.tables = requireNonNull(tables, "tables is null");
    }

    /**
     * Creates the table in the catalogs that do not contain it.
     */
    public void prepare(List<BenchmarkCatalog> catalogs, Progress progress)
    {
        tables.prepareSource(SOURCE_TABLE);
        TableLoader loader = new TableLoader(server, schema(), progress);
        for (BenchmarkCatalog catalog : catalogs) {
            String indexes = catalog.isAlbis() ? IndexCosts.property(INDEXED) : "";
            loader.load(catalog, TABLE, "%s AS SELECT %s k, * FROM %s".formatted(indexes, KEY, source()), new SourceTable(schema(), SOURCE_TABLE));
        }
    }

    /**
     * Returns the queries. Their keys are those of rows in the middle of the table.
     */
    public List<Task> queries()
    {
        long ticket = (long) value("SELECT max(ss_ticket_number) / 2 FROM " + source());
        long key = (long) value("SELECT min(%s) FROM %s WHERE ss_ticket_number = %s".formatted(KEY, source(), ticket));
        MaterializedResult keys = server.execute(SOURCE.catalogName(), schema(), "SELECT min(%s) FROM %s WHERE ss_ticket_number BETWEEN %s AND %s GROUP BY ss_ticket_number".formatted(KEY, source(), ticket, ticket + 99));
        String list = keys.getOnlyColumn()
                .map(String::valueOf)
                .collect(joining(", "));
        long customer = (long) value("SELECT min(ss_customer_sk) FROM %s WHERE ss_ticket_number = %s".formatted(source(), ticket));
        return ImmutableList.of(
                query("one row by its key", "k = " + key),
                query("100 rows by their keys", "k IN (%s)".formatted(list)),
                query("rows of a customer", "ss_customer_sk = " + customer),
                query("three predicates of 1 %", "%s AND %s AND %s".formatted(part("ss_customer_sk", "1"), part("ss_item_sk", "1"), part("ss_addr_sk", "1"))),
                query("predicates of 2 % and 10 %", "%s AND %s".formatted(part("ss_customer_sk", "2"), part("ss_item_sk", "10"))),
                query("predicates of 2, 5, and 10 %", "%s AND %s AND %s".formatted(part("ss_customer_sk", "2"), part("ss_item_sk", "5"), part("ss_addr_sk", "10"))));
    }

    private String part(String column, String percent)
    {
        return predicate(column, Fraction.parse(percent));
    }

    /**
     * Returns a predicate that is true for a part of the values of a column, and for about the same part of the rows.
     *
     * @param column one of those with an index
     * @throws IllegalArgumentException if the column has no index
     */
    public String predicate(String column, Fraction fraction)
    {
        checkArgument(INDEXED.contains(column), "%s has no index, but %s", column, INDEXED);
        if (column.equals(KEY_COLUMN)) {
            // The keys are spread evenly over all numbers. Those from a quarter on are enough for three quarters.
            double width = fraction.share() * 2 * Long.MAX_VALUE;
            long least = Long.MIN_VALUE / 2;
            return "%s BETWEEN %s AND %s".formatted(column, least, (long) (least + width));
        }
        long values = (long) value("SELECT max(%s) FROM %s".formatted(column, source()));
        long first = values / 3;
        return "%s BETWEEN %s AND %s".formatted(column, first, first + (long) (values * fraction.share()));
    }

    /**
     * Returns the columns without an index.
     */
    public List<String> otherColumns()
    {
        return tables.columns(SOURCE_TABLE).stream()
                .filter(column -> !INDEXED.contains(column))
                .collect(toImmutableList());
    }

    private Object value(String sql)
    {
        return server.execute(SOURCE.catalogName(), schema(), sql).getOnlyValue();
    }

    private Task query(String name, String predicate)
    {
        return new QueryTask(name, "SELECT * FROM %s WHERE %s".formatted(TABLE, predicate), schema(), ComparedColumns.ALL, server);
    }

    private String source()
    {
        return new SourceTable(schema(), SOURCE_TABLE).name();
    }

    private String schema()
    {
        return tables.scale().schema();
    }
}
