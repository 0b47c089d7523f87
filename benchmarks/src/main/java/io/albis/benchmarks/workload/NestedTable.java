package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;

import java.util.List;
import java.util.stream.IntStream;

import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * A table with nested columns, made from each tenth ticket of {@code store_sales}: a row of 20 fields, a map of 10
 * entries, one of 100 entries, and an array of 1 to 20 elements.
 */
public class NestedTable
{
    private static final String SOURCE_TABLE = "store_sales";
    private static final String TABLE = "nested";
    private static final List<String> KEYS = ImmutableList.of(
            "ss_sold_date_sk",
            "ss_sold_time_sk",
            "ss_item_sk",
            "ss_customer_sk",
            "ss_cdemo_sk",
            "ss_hdemo_sk",
            "ss_addr_sk",
            "ss_store_sk",
            "ss_promo_sk",
            "ss_ticket_number");
    private static final List<String> PRICES = ImmutableList.of(
            "ss_wholesale_cost",
            "ss_list_price",
            "ss_sales_price",
            "ss_ext_discount_amt",
            "ss_ext_sales_price",
            "ss_ext_wholesale_cost",
            "ss_ext_list_price",
            "ss_ext_tax",
            "ss_coupon_amt",
            "ss_net_paid");

    private final BenchmarkServer server;
    private final TpcdsTables tables;

    public NestedTable(BenchmarkServer server, TpcdsTables tables)
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
            loader.load(catalog, TABLE, "AS " + rows(), new SourceTable(schema(), SOURCE_TABLE));
        }
    }

    private String rows()
    {
        return "SELECT ss_item_sk id, %s r, %s m10, %s m100, sequence(ss_item_sk, ss_item_sk + mod(ss_ticket_number / 10, 20)) a FROM %s.%s.%s WHERE mod(ss_ticket_number, 10) = 0"
                .formatted(row(), map(10), map(100), SOURCE.catalogName(), schema(), SOURCE_TABLE);
    }

    private static String row()
    {
        List<String> values = ImmutableList.<String>builder().addAll(KEYS).addAll(PRICES).build();
        String fields = IntStream.rangeClosed(1, values.size())
                .mapToObj(field -> "f%s %s".formatted(field, field <= KEYS.size() ? "bigint" : "decimal(7, 2)"))
                .collect(joining(", "));
        return "CAST(ROW(%s) AS row(%s))".formatted(String.join(", ", values), fields);
    }

    private static String map(int entries)
    {
        return "MAP(transform(sequence(1, %1$s), i -> 'key' || CAST(i AS varchar)), transform(sequence(1, %1$s), i -> mod(ss_item_sk * i, 1000)))".formatted(entries);
    }

    public List<Task> queries()
    {
        return ImmutableList.of(
                query("element_at of a map of 10", "SELECT sum(element_at(m10, 'key7')) FROM " + TABLE),
                query("element_at of a map of 100", "SELECT sum(element_at(m100, 'key77')) FROM " + TABLE),
                query("one field of a row of 20", "SELECT sum(r.f15) FROM " + TABLE),
                query("three fields of a row of 20", "SELECT sum(r.f2), sum(r.f12), sum(r.f18) FROM " + TABLE),
                query("predicate on a field", "SELECT count(*), sum(r.f20) FROM %s WHERE r.f8 = 4".formatted(TABLE)),
                query("cardinality of arrays", "SELECT sum(cardinality(a)) FROM " + TABLE),
                query("cardinality of maps of 100", "SELECT sum(cardinality(m100)) FROM " + TABLE),
                query("subscript of arrays", "SELECT sum(a[1]) FROM " + TABLE),
                query("UNNEST of arrays", "SELECT sum(e) FROM %s CROSS JOIN UNNEST(a) t (e)".formatted(TABLE)),
                query("UNNEST of maps of 10", "SELECT count(k), sum(v) FROM %s CROSS JOIN UNNEST(m10) t (k, v)".formatted(TABLE)));
    }

    private Task query(String name, String sql)
    {
        return new QueryTask(name, sql, schema(), server);
    }

    private String schema()
    {
        return tables.scale().schema();
    }
}
