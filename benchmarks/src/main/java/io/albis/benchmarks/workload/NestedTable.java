package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.ComparedColumns;

import java.util.List;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * A table with nested columns, made from each tenth ticket of {@code store_sales}: a row of 20 fields, a map of 5 to 15
 * entries, one of 50 to 150 entries, and an array of 1 to 20 elements. Each row has other sizes and other keys, which
 * depend only on its item and its ticket. The maps have 10 and 100 entries on average. About half of them have a given
 * key.
 */
public class NestedTable
{
    private static final String SOURCE_TABLE = "store_sales";
    private static final String TABLE = "nested";
    private static final int SMALL = 10;
    private static final int LARGE = 100;
    // About twice the average number of entries, more than the greatest one, and primes: see keys
    private static final int SMALL_KEYS = 19;
    private static final int LARGE_KEYS = 199;
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
        SourceTable source = new SourceTable(schema(), SOURCE_TABLE);
        String seeds = "SELECT *, %s seed10, %s seed100 FROM %s WHERE mod(ss_ticket_number, 10) = 0"
                .formatted(number("keys of 10", SMALL_KEYS * (SMALL_KEYS - 1)), number("keys of 100", LARGE_KEYS * (LARGE_KEYS - 1)), source.name());
        String keys = "SELECT *, %s keys10, %s keys100 FROM (%s)"
                .formatted(keys("seed10", SMALL_KEYS, size("size of 10", SMALL)), keys("seed100", LARGE_KEYS, size("size of 100", LARGE)), seeds);
        return "SELECT ss_item_sk id, %s r, %s m10, %s m100, sequence(ss_item_sk, ss_item_sk + %s) a FROM (%s)"
                .formatted(row(), map("keys10"), map("keys100"), number("size of a", 20), keys);
    }

    /**
     * Returns a random number from 0 to below the bound. The same row always has the same number.
     *
     * @param salt text that makes the numbers of different columns differ, without quotes
     */
    private static String number(String salt, int bound)
    {
        // A shift makes the hash positive
        return "mod(bitwise_right_shift(from_big_endian_64(xxhash64(to_utf8('%s ' || CAST(ss_item_sk AS varchar) || ' ' || CAST(ss_ticket_number AS varchar)))), 1), %s)".formatted(salt, bound);
    }

    /**
     * Returns a number of entries, from half of the average to one and a half times the average.
     */
    private static String size(String salt, int average)
    {
        return "(%s + %s)".formatted(average / 2, number(salt, average + 1));
    }

    /**
     * Returns an array of different numbers below a prime. The seed selects the first one, and the distance from each
     * to the next one. The distance is less than the prime, so as many steps as the prime lead to as many numbers.
     *
     * @param seed column with a number below the prime times one less than the prime
     */
    private static String keys(String seed, int prime, String size)
    {
        return "transform(sequence(1, %1$s), i -> mod(%2$s + (1 + mod(%2$s, %3$s)) * i, %4$s))".formatted(size, seed, prime - 1, prime);
    }

    private static String row()
    {
        List<String> values = ImmutableList.<String>builder().addAll(KEYS).addAll(PRICES).build();
        String fields = IntStream.rangeClosed(1, values.size())
                .mapToObj(field -> "f%s %s".formatted(field, field <= KEYS.size() ? "bigint" : "decimal(7, 2)"))
                .collect(joining(", "));
        return "CAST(ROW(%s) AS row(%s))".formatted(String.join(", ", values), fields);
    }

    private static String map(String keys)
    {
        return "MAP(transform(%1$s, k -> 'key' || CAST(k AS varchar)), transform(%1$s, k -> mod(ss_item_sk * k, 1000)))".formatted(keys);
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
        return new QueryTask(name, sql, schema(), ComparedColumns.ALL, server);
    }

    private String schema()
    {
        return tables.scale().schema();
    }
}
