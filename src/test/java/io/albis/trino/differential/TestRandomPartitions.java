package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import com.google.common.hash.Hashing;
import io.airlift.log.Logger;
import io.albis.TestTier;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.IndexSearches;
import io.albis.trino.IndexThresholds;
import io.albis.trino.RandomAccessPaths;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static java.lang.Math.floorMod;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the same random statements on a table with random partitions and on one without, and compares their rows. The
 * rows of each row group have the same partition. Most tables have indexes, which the queries search.
 */
final class TestRandomPartitions
        extends AbstractTestQueryFramework
{
    private static final Logger log = Logger.get(TestRandomPartitions.class);

    private static final String COLUMNS = "id bigint, n integer, s varchar, x double, d date, ts timestamp(6), z timestamp(3) with time zone, c decimal(20, 2)";
    private static final List<String> NAMES = ImmutableList.of("id", "n", "s", "x", "d", "ts", "z", "c");
    // a function, and an expression of SQL that has one value for each of its partitions
    private static final List<Function> FUNCTIONS = ImmutableList.of(
            new Function("n", "n"),
            new Function("s", "s"),
            new Function("x", "IF(is_nan(x), 'NaN', CAST(x + 0e0 AS varchar))"),
            new Function("z", "to_unixtime(z)"),
            new Function("year(d)", "year(d)"),
            new Function("month(ts)", "year(ts) * 12 + month(ts)"),
            new Function("day(ts)", "CAST(ts AS date)"),
            new Function("day(z)", "CAST(z AT TIME ZONE 'UTC' AS date)"),
            new Function("hour(ts)", "date_trunc('hour', ts)"),
            new Function("hour(z)", "date_trunc('hour', z AT TIME ZONE 'UTC')"),
            new Function("truncate(n, 7)", "n - mod(mod(n, 7) + 7, 7)"),
            new Function("truncate(s, 1)", "substr(s, 1, 1)"),
            new Function("truncate(c, 250)", "floor(c * 100 / 250)"),
            new Function("bucket(id, 5)", "0"));

    // columns with a literal of the values that rows have
    private static final List<Column> VALUES = ImmutableList.of(
            new Column("id", "BIGINT '%s'", 1000),
            new Column("n", "%s - 20", 40),
            new Column("s", "element_at(ARRAY['', 'a', 'ab', 'äb', 'ä', 'b', 'x'], %s + 1)", 7),
            new Column("x", "element_at(ARRAY[0e0, -0e0, 1e0, infinity(), 7e0], %s + 1)", 5),
            new Column("d", "DATE '1969-06-01' + %s * INTERVAL '1' DAY", 400),
            new Column("ts", "TIMESTAMP '1969-12-31 12:00:00.123456' + %s * INTERVAL '1' HOUR", 48),
            new Column("z", "with_timezone(TIMESTAMP '1969-12-31 20:00:00.001' + %s * INTERVAL '1' HOUR, 'UTC')", 9),
            new Column("c", "CAST(%s - 9 AS decimal(20, 2)) / 3", 19));

    private static final int MAX_FURTHER_ROUNDS = 20;

    private final IndexSearches searches = new IndexSearches();

    private record Function(String text, String expression) {}

    private record Column(String name, String value, int values) {}

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(ImmutableList.of())
                .amendSession(IndexThresholds::lowest)
                .setEventListener(searches)
                .build();
    }

    @Test
    void testRandomStatements()
    {
        run(1);
    }

    @Test
    @Tag("slow")
    void testManyRandomStatements()
    {
        run(7);
    }

    private void run(int rounds)
    {
        long seed = Long.getLong("partitions.seed", System.nanoTime());
        // few tables may have no index that a query can use
        for (int round = 0; round < rounds || (searches.excludedRows() == 0 && round < rounds + MAX_FURTHER_ROUNDS); round++) {
            log.info("Repeat this round with -Dpartitions.seed=%s", seed);
            try {
                new Round(new Random(seed)).run();
            }
            catch (Throwable e) {
                throw new AssertionError("Repeat with -Dpartitions.seed=" + seed, e);
            }
            seed++;
        }
        searches.assertSearched();
    }

    private final class Round
    {
        private final Random random;
        private List<Function> functions;
        private int rows;

        private Round(Random random)
        {
            this.random = random;
        }

        private void run()
        {
            functions = randomFunctions();
            String table = "partitions_" + random.nextInt(Integer.MAX_VALUE);
            Session session = Session.builder(getSession())
                    .setCatalogSessionProperty(CATALOG, "partition_buffer_size", random.nextBoolean() ? "50kB" : "128MB")
                    .setCatalogSessionProperty(CATALOG, "sort_buffer_size", random.nextBoolean() ? "10kB" : "64MB")
                    .build();
            computeActual("CREATE TABLE %s (%s) WITH (partitioned_by = %s, row_group_rows = %s%s)".formatted(table, COLUMNS, property(), 50 + random.nextInt(1000), RandomAccessPaths.properties(random, NAMES)));
            computeActual("CREATE TABLE %s_plain (%s)".formatted(table, COLUMNS));
            boolean samePartitions = true;
            for (int i = 0; i < (TestTier.isComplete() ? 8 : 5); i++) {
                if (random.nextInt(8) == 0) {
                    functions = randomFunctions();
                    samePartitions = false;
                    computeActual("ALTER TABLE %s SET PROPERTIES partitioned_by = %s".formatted(table, property()));
                }
                String statement = i == 0 ? insert() : statement();
                log.info("%s", statement);
                Object changed = computeActual(session, statement.replace("$T", table)).getUpdateCount();
                assertThat(changed).as(statement).isEqualTo(computeActual(statement.replace("$T", table + "_plain")).getUpdateCount());
                if (random.nextInt(4) == 0) {
                    computeActual(session, "ALTER TABLE %s EXECUTE optimize".formatted(table));
                    samePartitions = true;
                }
                check(table, samePartitions);
            }
            computeActual("DROP TABLE " + table);
            computeActual("DROP TABLE %s_plain".formatted(table));
        }

        private List<Function> randomFunctions()
        {
            List<Function> chosen = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(2); i++) {
                Function function = FUNCTIONS.get(random.nextInt(FUNCTIONS.size()));
                if (!chosen.contains(function)) {
                    chosen.add(function);
                }
            }
            return chosen;
        }

        private String property()
        {
            return "ARRAY[" + String.join(", ", functions.stream().map(function -> "'" + function.text() + "'").toList()) + "]";
        }

        private String insert()
        {
            int count = 1 + random.nextInt(600);
            rows += count;
            return "INSERT INTO $T " + rows(rows - count, count);
        }

        private String rows(int first, int count)
        {
            int seed = random.nextInt(1000);
            return """
                   SELECT
                       k,
                       IF(mod(k, 11) = 0, NULL, CAST(mod(k * 7 + %3$s, 40) - 20 AS integer)),
                       IF(mod(k, 13) = 0, NULL, element_at(ARRAY['', 'a', 'ab', 'äb', 'ä', 'b'], CAST(mod(k * 5 + %3$s, 6) AS integer) + 1)),
                       element_at(ARRAY[0e0, -0e0, nan(), 1e0, infinity(), NULL], CAST(mod(k + %3$s, 6) AS integer) + 1),
                       DATE '1969-06-01' + mod(k + %3$s, 400) * INTERVAL '1' DAY,
                       IF(mod(k, 17) = 0, NULL, TIMESTAMP '1969-12-31 12:00:00.123456' + mod(k * 31, 48) * INTERVAL '1' HOUR),
                       with_timezone(TIMESTAMP '1969-12-31 20:00:00.001' + mod(k * 3, 9) * INTERVAL '1' HOUR, IF(mod(k, 2) = 0, 'Asia/Tokyo', 'UTC')),
                       CAST(mod(k, 19) - 9 AS decimal(20, 2)) / 3
                   FROM UNNEST(sequence(BIGINT '%1$s', BIGINT '%2$s')) t (k)""".formatted(first, first + count - 1, seed);
        }

        private String predicate()
        {
            return switch (random.nextInt(10)) {
                case 0 -> "n = %s".formatted(random.nextInt(40) - 20);
                case 1 -> "s >= 'a' AND s < 'b'";
                case 2 -> "s IS NULL";
                case 3 -> "ts < TIMESTAMP '1970-01-01 00:00:00'";
                case 4 -> "CAST(z AS date) = DATE '1970-01-01'";
                case 5 -> "is_nan(x)";
                case 6 -> "x = 0e0";
                case 7 -> "c > 1 AND d >= DATE '1970-01-01'";
                case 8 -> listOfValues();
                default -> "mod(id, 10) = %s".formatted(random.nextInt(10));
            };
        }

        /**
         * Returns a condition on a column by which rows can be partitioned, with values that are in the table or not.
         */
        private String listOfValues()
        {
            Column column = VALUES.get(random.nextInt(VALUES.size()));
            String values = IntStream.range(0, 1 + random.nextInt(3))
                    .mapToObj(_ -> column.value().formatted(random.nextInt(column.values())))
                    .collect(joining(", "));
            return "%s IN (%s)%s".formatted(column.name(), values, random.nextInt(4) == 0 ? " OR %s IS NULL".formatted(column.name()) : "");
        }

        private String statement()
        {
            return switch (random.nextInt(6)) {
                case 0 -> "DELETE FROM $T WHERE " + predicate();
                case 1 -> "UPDATE $T SET n = n + 1, s = s || 'x' WHERE " + predicate();
                case 2 -> "UPDATE $T SET ts = ts + INTERVAL '1' DAY, z = z - INTERVAL '90' MINUTE WHERE " + predicate();
                case 3 -> {
                    int first = Math.max(0, rows - 50);
                    rows += 50;
                    yield "MERGE INTO $T t USING (%s) s (id, n, s, x, d, ts, z, c) ON t.id = s.id WHEN MATCHED AND mod(t.id, 2) = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET n = s.n, d = s.d WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.n, s.s, s.x, s.d, s.ts, s.z, s.c)".formatted(rows(first, 100));
                }
                default -> insert();
            };
        }

        private void check(String table, boolean samePartitions)
        {
            assertThat(query("TABLE " + table)).matches("TABLE %s_plain".formatted(table));
            String predicate = predicate();
            assertThat(query("SELECT * FROM %s WHERE %s".formatted(table, predicate))).matches("SELECT * FROM %s_plain WHERE %s".formatted(table, predicate));
            checkLimit(table);
            assertThat(query("SELECT sum(record_count) FROM \"%s$partitions\"".formatted(table))).matches("SELECT nullif(count(*), 0) FROM %s_plain".formatted(table));
            if (!samePartitions) {
                return;
            }
            assertThat(query("SELECT count(*) FROM \"%s$partitions\" WHERE partition IS NULL".formatted(table))).matches("VALUES BIGINT '0'");
            for (Function function : functions) {
                assertThat(query("SELECT \"$row_group\" FROM %s GROUP BY 1 HAVING count(DISTINCT coalesce(CAST(%s AS varchar), 'NULL')) > 1".formatted(table, function.expression())))
                        .as(function.text())
                        .returnsEmptyResult();
                if (function.text().startsWith("bucket")) {
                    checkBuckets(table);
                }
            }
            String values = String.join(", ", functions.stream().map(function -> "coalesce(CAST(%s AS varchar), 'NULL')".formatted(function.expression())).toList());
            assertThat((long) computeScalar("SELECT count(*) FROM \"%s$partitions\" WHERE record_count > 0".formatted(table)))
                    .isGreaterThanOrEqualTo((long) computeScalar("SELECT count(*) FROM (SELECT DISTINCT %s FROM %s)".formatted(values, table)));
        }

        /**
         * A limited query can return any of the rows that match.
         */
        private void checkLimit(String table)
        {
            String predicate = random.nextInt(4) == 0 ? "true" : predicate();
            int limit = 1 + random.nextInt(random.nextBoolean() ? 5 : 300);
            Multiset<MaterializedRow> matching = ImmutableMultiset.copyOf(computeActual("SELECT * FROM %s_plain WHERE %s".formatted(table, predicate)).getMaterializedRows());
            String query = "SELECT * FROM %s WHERE %s LIMIT %s".formatted(table, predicate, limit);
            Multiset<MaterializedRow> limited = ImmutableMultiset.copyOf(computeActual(query).getMaterializedRows());
            assertThat(limited.size()).as(query).isEqualTo(Math.min(limit, matching.size()));
            assertThat(Multisets.containsOccurrences(matching, limited)).as("rows of %s match", query).isTrue();
            assertThat(computeScalar("SELECT count(*) FROM (SELECT id FROM %s WHERE %s LIMIT %s)".formatted(table, predicate, limit))).as(query).isEqualTo((long) limited.size());
        }

        private void checkBuckets(String table)
        {
            for (MaterializedRow row : computeActual("SELECT array_agg(id) FROM %s GROUP BY \"$row_group\"".formatted(table)).getMaterializedRows()) {
                List<?> ids = (List<?>) row.getField(0);
                assertThat(ids.stream().map(id -> floorMod(Hashing.murmur3_32_fixed().hashLong((Long) id).asInt() & Integer.MAX_VALUE, 5)).distinct()).hasSize(1);
            }
        }
    }
}
