package io.albis.trino.partition;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMultiset;
import io.airlift.log.Logger;
import io.albis.trino.AlbisQueryRunner;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static com.google.common.base.Splitter.on;
import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.config.AlbisSessionProperties.BUCKET_EXECUTION_ENABLED;
import static io.albis.trino.config.AlbisSessionProperties.MAX_SPLIT_SIZE;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares random joins and aggregations of tables with random buckets with those of a session without buckets. A seed
 * in the system property {@code buckets.seed} repeats one round.
 */
final class TestRandomBucketJoins
        extends AbstractTestQueryFramework
{
    private static final Logger log = Logger.get(TestRandomBucketJoins.class);

    private static final String SEED = "buckets.seed";
    private static final int MAX_FURTHER_ROUNDS = 20;
    // the type of the keys, and an expression of their values
    private static final List<Key> KEYS = ImmutableList.of(
            new Key("bigint", "n * 1000003"),
            new Key("integer", "n"),
            new Key("varchar", "CAST(n AS varchar)"),
            new Key("char(5)", "CAST(n AS varchar)"),
            new Key("date", "date_add('day', n, DATE '1969-12-01')"),
            new Key("timestamp(3) with time zone", "from_unixtime(n, IF(n % 2 = 0, 'UTC', 'Asia/Tokyo'))"),
            new Key("decimal(25, 1)", "n / DECIMAL '2.0'"));

    private int savedExchanges;

    private record Key(String type, String value) {}

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(ImmutableList.of())
                .setWorkerCount(2)
                .build();
    }

    @Test
    void testRandomJoins()
    {
        run(1, 6);
    }

    @Test
    @Tag("slow")
    void testManyRandomJoins()
    {
        run(10, 20);
    }

    private void run(int rounds, int queries)
    {
        Long repeated = Long.getLong(SEED);
        long seed = repeated == null ? new Random().nextLong() : repeated;
        savedExchanges = 0;
        // otherwise the test would compare nothing
        for (int round = 0; round < (repeated == null ? rounds : 1) || (repeated == null && savedExchanges == 0 && round < rounds + MAX_FURTHER_ROUNDS); round++) {
            log.info("Repeat this round with -D%s=%s", SEED, seed + round);
            new Round(seed + round).run(queries);
        }
        assertThat(savedExchanges).as("-D%s=%s: exchanges that buckets have saved", SEED, seed).isPositive();
    }

    private final class Round
    {
        private final Random random;
        private final Key key;
        private final List<String> tables = new ArrayList<>();
        private final List<String> statements = new ArrayList<>();

        private Round(long seed)
        {
            random = new Random(seed);
            key = KEYS.get(random.nextInt(KEYS.size()));
            statements.add("-D%s=%s".formatted(SEED, seed));
            for (int i = 0; i < 3; i++) {
                tables.add("buckets_%s_%s".formatted(Long.toUnsignedString(seed), i));
            }
        }

        private void run(int queries)
        {
            try {
                for (String table : tables) {
                    execute("CREATE TABLE %s WITH (partitioned_by = %s, row_group_rows = %s) AS %s".formatted(table, partitions(), 10 + random.nextInt(500), rows()));
                }
                for (int i = 0; i < queries; i++) {
                    if (random.nextInt(3) == 0) {
                        change();
                    }
                    compare(query());
                }
            }
            catch (RuntimeException | AssertionError e) {
                throw new AssertionError(String.join("\n", statements), e);
            }
            finally {
                tables.forEach(table -> computeActual("DROP TABLE IF EXISTS " + table));
            }
        }

        private void execute(String sql)
        {
            statements.add(sql);
            computeActual(sql);
        }

        /**
         * The numbers of buckets of most tables have a common divisor.
         */
        private String partitions()
        {
            int buckets = random.nextInt(8) == 0 ? 1 + random.nextInt(20) : 2 << random.nextInt(4);
            List<String> functions = new ArrayList<>();
            functions.add("bucket(k, %s)".formatted(buckets));
            if (random.nextInt(3) == 0) {
                functions.add("bucket(v, %s)".formatted(2 + random.nextInt(3)));
            }
            if (random.nextInt(4) == 0) {
                functions.addFirst("g");
            }
            return functions.stream().map("'%s'"::formatted).collect(joining(", ", "ARRAY[", "]"));
        }

        /**
         * Keys are null, are in other tables, and are in several rows.
         */
        private String rows()
        {
            int first = random.nextInt(100);
            return "SELECT IF(n %% %s = 0, NULL, CAST(%s AS %s)) k, CAST(n %% %s AS integer) v, n %% 3 g FROM (SELECT m %% %s n FROM UNNEST(sequence(%s, %s)) t (m))".formatted(
                    3 + random.nextInt(30),
                    key.value(),
                    key.type(),
                    5 + random.nextInt(20),
                    20 + random.nextInt(200),
                    first,
                    first + random.nextInt(random.nextInt(4) == 0 ? 5 : 300));
        }

        private String table()
        {
            return tables.get(random.nextInt(tables.size()));
        }

        private void change()
        {
            String table = table();
            switch (random.nextInt(6)) {
                case 0, 1 -> execute("INSERT INTO %s %s".formatted(table, rows()));
                case 2 -> execute("DELETE FROM %s WHERE v %% %s = 0".formatted(table, 2 + random.nextInt(5)));
                // rows move to other buckets
                case 3 -> execute("UPDATE %s SET k = (SELECT max(k) FROM %s) WHERE v = %s".formatted(table, table(), random.nextInt(10)));
                case 4 -> execute("ALTER TABLE %s SET PROPERTIES partitioned_by = %s".formatted(table, partitions()));
                default -> execute("ALTER TABLE %s EXECUTE optimize".formatted(table));
            }
        }

        private String query()
        {
            String keys = random.nextInt(3) == 0 ? "k, v" : "k";
            return switch (random.nextInt(8)) {
                case 0 -> "SELECT %s, count(*), sum(g) FROM %s GROUP BY %s".formatted(keys, source(), keys);
                case 1 -> "SELECT DISTINCT %s FROM %s".formatted(keys, source());
                case 2 -> "SELECT k, v, row_number() OVER (PARTITION BY k ORDER BY v, g) FROM " + source();
                case 3 -> "SELECT count(*), sum(v) FROM %s WHERE k %s (SELECT k FROM %s WHERE k IS NOT NULL)".formatted(source(), random.nextBoolean() ? "IN" : "NOT IN", source());
                case 4 -> "SELECT %s, count(*), sum(a.g + b.g) FROM %s a %s JOIN %s b USING (%s) GROUP BY %s".formatted(keys, source(), join(), source(), keys, keys);
                case 5 -> "SELECT a.k, a.v, b.k, b.v FROM %s a %s JOIN %s b ON a.k = b.k AND a.g = b.g".formatted(source(), join(), source());
                case 6 -> "SELECT k, count(*), sum(c), sum(d) FROM (SELECT k, count(*) c FROM %s GROUP BY k) %s JOIN (SELECT k, max(v) d FROM %s GROUP BY k) USING (k) GROUP BY k".formatted(source(), join(), source());
                default -> "SELECT k, count(*), sum(a.v), sum(b.v), sum(c.v) FROM %s a JOIN %s b USING (k) %s JOIN %s c USING (k) GROUP BY k".formatted(source(), source(), join(), source());
            };
        }

        private String join()
        {
            return ImmutableList.of("", "LEFT", "RIGHT", "FULL").get(random.nextInt(4));
        }

        /**
         * Returns a table, a part of one, an earlier version of one, or two tables.
         */
        private String source()
        {
            return switch (random.nextInt(8)) {
                case 0 -> "(SELECT * FROM %s WHERE v < %s)".formatted(table(), random.nextInt(10));
                case 1 -> "(SELECT * FROM %s WHERE k > (SELECT min(k) FROM %s))".formatted(table(), table());
                case 2 -> "(SELECT * FROM %s FOR VERSION AS OF 1)".formatted(table());
                case 3 -> "(TABLE %s UNION ALL TABLE %s)".formatted(table(), table());
                default -> table();
            };
        }

        private void compare(String query)
        {
            statements.add(query);
            String splitSize = random.nextBoolean() ? "1kB" : "32MB";
            // the rows are many, and in any order
            assertThat(ImmutableMultiset.copyOf(computeActual(session(true, splitSize), query).getMaterializedRows())).as(query)
                    .isEqualTo(ImmutableMultiset.copyOf(computeActual(session(false, splitSize), query).getMaterializedRows()));
            savedExchanges += exchanges(session(false, splitSize), query) - exchanges(session(true, splitSize), query);
        }
    }

    private int exchanges(Session session, String sql)
    {
        return on("RemoteSource").splitToList((String) computeScalar(session, "EXPLAIN (TYPE DISTRIBUTED) " + sql)).size() - 1;
    }

    private Session session(boolean buckets, String splitSize)
    {
        return Session.builder(getSession())
                .setSystemProperty("join_distribution_type", "PARTITIONED")
                .setCatalogSessionProperty(CATALOG, BUCKET_EXECUTION_ENABLED, Boolean.toString(buckets))
                .setCatalogSessionProperty(CATALOG, MAX_SPLIT_SIZE, splitSize)
                .build();
    }
}
