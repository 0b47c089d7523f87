package io.albis.trino.topn;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Sets;
import io.albis.TestTier;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.IndexSearches;
import io.albis.trino.IndexThresholds;
import io.albis.trino.RandomAccessPaths;
import io.albis.trino.SortedLoad;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.config.AlbisSessionProperties.DYNAMIC_ROW_FILTERING;
import static io.albis.trino.config.AlbisSessionProperties.INDEX_ENABLED;
import static io.albis.trino.config.AlbisSessionProperties.LAZY_READING;
import static io.albis.trino.config.AlbisSessionProperties.MAX_SPLIT_SIZE;
import static io.albis.trino.config.AlbisSessionProperties.READ_AHEAD;
import static io.albis.trino.config.AlbisSessionProperties.ROW_FILTERING;
import static io.albis.trino.config.AlbisSessionProperties.ROW_GROUP_PRUNING;
import static io.albis.trino.config.AlbisSessionProperties.SEGMENT_PRUNING;
import static io.albis.trino.config.AlbisSessionProperties.TOPN_PUSHDOWN_ENABLED;
import static java.util.Collections.shuffle;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares random queries with ORDER BY and LIMIT over a table that random statements change with top-N pushdown and
 * indexes and without them. A query may return any of the rows that are equal in all of its keys. A seed in the system
 * property {@code topn.seed} repeats one round.
 */
final class TestRandomTopN
        extends AbstractTestQueryFramework
{
    private static final String SEED = "topn.seed";
    private static final int STATEMENTS = TestTier.isComplete() ? 5 : 3;
    private static final int QUERIES = TestTier.isComplete() ? 6 : 4;
    private static final List<String> COLUMNS = ImmutableList.of("id", "i", "d", "r", "s", "v", "c", "z", "x", "e", "g");
    private static final List<String> INDEXED = COLUMNS.subList(0, COLUMNS.size() - 1);
    private static final int MAX_FURTHER_ROUNDS = 20;

    private final IndexSearches searches = new IndexSearches();
    private int pushed;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .amendSession(IndexThresholds::lowest)
                .setEventListener(searches)
                .build();
    }

    @Test
    void testRandomQueries()
    {
        run(1);
    }

    @Test
    @Tag("slow")
    void testManyRandomQueries()
    {
        run(3);
    }

    private void run(int rounds)
    {
        String seed = System.getProperty(SEED);
        long firstSeed = seed == null ? new Random().nextLong() : Long.parseLong(seed);
        pushed = 0;
        if (seed != null) {
            new Round(firstSeed).run();
            return;
        }
        // otherwise the test would compare nothing
        for (int round = 0; round < rounds || ((pushed == 0 || searches.excludedRows() == 0) && round < rounds + MAX_FURTHER_ROUNDS); round++) {
            new Round(firstSeed + round).run();
        }
        assertThat(pushed).isPositive();
        searches.assertSearched();
    }

    private final class Round
    {
        private final Random random;
        private final Session writing = SortedLoad.session(getSession());
        private final String table;
        private final List<String> log = new ArrayList<>();
        private final boolean rowLayout;
        private final List<String> stored;
        private final List<String> columns;
        private long nextId = 1;
        private boolean widened;

        private Round(long seed)
        {
            random = new Random(seed);
            table = "topn_" + Long.toUnsignedString(seed);
            rowLayout = random.nextInt(3) == 0;
            // the row layout has no nested columns
            stored = rowLayout ? COLUMNS.subList(0, COLUMNS.size() - 1) : COLUMNS;
            columns = new ArrayList<>(stored);
            log.add("-D%s=%s".formatted(SEED, seed));
        }

        private void run()
        {
            try {
                execute("CREATE TABLE %s WITH (row_group_rows = %s, segment_size = '%s', layout = '%s'%s) AS %s".formatted(
                        table,
                        random.nextBoolean() ? 5 + random.nextInt(100) : 1_000_000,
                        random.nextBoolean() ? "1kB" : "1MB",
                        rowLayout ? "ROW" : "BLOCK",
                        RandomAccessPaths.properties(random, INDEXED),
                        rows()));
                compare();
                for (int i = 0; i < STATEMENTS; i++) {
                    change();
                    compare();
                }
            }
            catch (RuntimeException | AssertionError e) {
                throw new AssertionError(String.join("\n", log), e);
            }
            finally {
                computeActual("DROP TABLE IF EXISTS " + table);
            }
        }

        private void execute(String sql)
        {
            log.add(sql);
            computeActual(writing, sql);
        }

        /**
         * Returns a query for rows with new ids. NaN, the two zeros, and nulls are in many of the row groups, or only
         * in a few.
         */
        private String rows()
        {
            long firstId = nextId;
            nextId += 1 + random.nextInt(random.nextInt(4) == 0 ? 9000 : 400);
            return """
                   SELECT %10$s FROM (SELECT
                       id,
                       IF(id %% %1$s = 0, NULL, CAST(id / %2$s AS integer)) i,
                       CASE id %% %3$s WHEN 0 THEN nan() WHEN 1 THEN -0e0 WHEN 2 THEN 0e0 WHEN 3 THEN NULL WHEN 4 THEN infinity() ELSE CAST(id AS double) / 7 - 10 END d,
                       CASE id %% %4$s WHEN 0 THEN CAST(nan() AS real) WHEN 1 THEN REAL '-0.0' ELSE CAST(id %% 9 - %5$s AS real) / 10 END r,
                       IF(id %% %1$s = 1, NULL, rpad(CAST(id %% 10 AS varchar), 1 + CAST(id %% %6$s AS integer), IF(id %% 3 = 0, 'é', 'z'))) s,
                       IF(id %% %3$s = 1, NULL, from_hex(rpad('6' || CAST(id %% 5 AS varchar), 2 + 2 * CAST(id %% %6$s AS integer), IF(id %% 2 = 0, 'FF', '00')))) v,
                       IF(id %% %4$s = 1, NULL, CAST(rpad('x', 1 + CAST(id %% %6$s AS integer), IF(id %% 2 = 0, 'y', chr(9))) AS char(100))) c,
                       IF(id %% %1$s = 2, NULL, from_unixtime(id * %2$s, IF(id * %2$s %% 2 = 0, 'UTC', 'Asia/Kolkata'))) z,
                       IF(id %% %3$s = 2, NULL, id %% %4$s < 3) x,
                       IF(id %% %4$s = 2, NULL, CAST(id * DECIMAL '100000000000.01' - %2$s AS decimal(25, 2))) e,
                       IF(id %% %3$s = 0, NULL, CAST(ROW(id %% %4$s, IF(id %% 3 = 0, NULL, CAST(id AS varchar))) AS row(a bigint, b varchar))) g
                   FROM UNNEST(sequence(%7$s, %8$s)) t (id))
                   ORDER BY %9$s
                   """.formatted(modulus(), 1 + random.nextInt(50), modulus(), modulus(), random.nextInt(9), 1 + random.nextInt(90), firstId, nextId - 1, switch (random.nextInt(4)) {
                case 0 -> "id";
                case 1 -> "id DESC";
                case 2 -> "id % 17";
                default -> "s";
            }, String.join(", ", stored));
        }

        private int modulus()
        {
            return 4 + (random.nextBoolean() ? random.nextInt(10) : random.nextInt(1000));
        }

        private void change()
        {
            switch (random.nextInt(9)) {
                case 0, 1 -> execute("INSERT INTO %s (%s) %s".formatted(table, String.join(", ", stored), rows()));
                case 2, 3 -> execute("DELETE FROM %s WHERE %s".formatted(table, predicate()));
                case 4 -> execute("UPDATE %s SET i = i + %s, s = 'updated', d = %s WHERE %s".formatted(table, random.nextInt(100) - 50, random.nextBoolean() ? "nan()" : "-0e0", predicate()));
                case 5 -> addColumn();
                case 6 -> widen();
                // the rows of the subquery are unique, so that the two sessions would change the same rows
                case 7 -> execute("DELETE FROM %1$s WHERE id IN (SELECT id FROM %1$s ORDER BY id %2$s LIMIT %3$s)".formatted(table, random.nextBoolean() ? "DESC" : "", 1 + random.nextInt(20)));
                default -> execute("ALTER TABLE %s EXECUTE optimize".formatted(table));
            }
        }

        private void addColumn()
        {
            String name = "n" + columns.size();
            execute("ALTER TABLE %s ADD COLUMN %s %s".formatted(table, name, switch (random.nextInt(4)) {
                case 0 -> "integer";
                case 1 -> "integer DEFAULT 5";
                case 2 -> "varchar DEFAULT '%s'".formatted("default".repeat(1 + random.nextInt(20)));
                default -> "double DEFAULT 0e0";
            }));
            columns.add(name);
        }

        private void widen()
        {
            if (!widened) {
                execute("ALTER TABLE %s ALTER COLUMN i SET DATA TYPE bigint".formatted(table));
                execute("ALTER TABLE %s ALTER COLUMN r SET DATA TYPE double".formatted(table));
                execute("ALTER TABLE %s ALTER COLUMN e SET DATA TYPE decimal(30, 2)".formatted(table));
                widened = true;
            }
        }

        private String predicate()
        {
            long id = random.nextLong(1, nextId + 1);
            return switch (random.nextInt(rowLayout ? 11 : 12)) {
                case 0 -> "id <= " + id;
                case 1 -> "id BETWEEN %s AND %s".formatted(id, id + random.nextInt(200));
                case 2 -> "i IS NULL";
                case 3 -> "i IS NOT NULL AND id > " + id;
                case 4 -> "s IS NOT NULL";
                case 5 -> "d > " + random.nextInt(40);
                case 6 -> "v >= X'62'";
                case 7 -> "z < from_unixtime(%s) OR z IS NULL".formatted(id * random.nextInt(50));
                case 8 -> "id %% %s = 0".formatted(2 + random.nextInt(5));
                case 9 -> "d IS NOT NULL AND i > 3";
                case 10 -> "x";
                default -> "g.a < " + random.nextInt(20);
            };
        }

        private void compare()
        {
            long newest = (long) computeScalar("SELECT max(snapshot_id) FROM \"%s$snapshots\"".formatted(table));
            for (int i = 0; i < QUERIES; i++) {
                boolean old = random.nextInt(5) == 0;
                String from = table + (old ? " FOR VERSION AS OF " + (1 + random.nextLong(newest)) : "");
                compare(from, old ? stored : columns);
            }
        }

        private void compare(String from, List<String> columns)
        {
            List<String> keys = new ArrayList<>(columns.stream().map(column -> column.equals("g") ? "g." + (random.nextBoolean() ? "a" : "b") : column).toList());
            shuffle(keys, random);
            keys = keys.subList(0, 1 + (random.nextBoolean() ? 0 : random.nextInt(3)));
            String order = IntStream.rangeClosed(1, keys.size()).mapToObj(key -> key + (random.nextBoolean() ? " DESC" : "") + switch (random.nextInt(3)) {
                case 0 -> " NULLS FIRST";
                case 1 -> " NULLS LAST";
                default -> "";
            }).collect(joining(", "));
            String where = random.nextBoolean() ? "" : " WHERE " + predicate();
            int limit = switch (random.nextInt(6)) {
                case 0 -> random.nextInt(2);
                case 1 -> 100_000;
                case 2 -> 100 + random.nextInt(1000);
                default -> 1 + random.nextInt(20);
            };
            List<String> names = keys;
            String selected = "%s, id, i, d, s, v, c".formatted(IntStream.range(0, names.size()).mapToObj(key -> "%s key_%s".formatted(names.get(key), key)).collect(joining(", ")));
            String source = switch (random.nextInt(6)) {
                case 0 -> "(SELECT * FROM %1$s%2$s) t JOIN (SELECT DISTINCT id j FROM %1$s WHERE %3$s) ON id = j".formatted(from, where, predicate());
                case 1 -> "(SELECT * FROM %1$s%2$s) t LEFT JOIN (SELECT DISTINCT id j FROM %1$s WHERE %3$s) ON id = j".formatted(from, where, predicate());
                default -> from + where;
            };
            String query = "SELECT %s FROM %s ORDER BY %s LIMIT %s".formatted(selected, source, order, limit);
            if (random.nextInt(5) == 0) {
                query = "SELECT * FROM (%s) WHERE id > 0".formatted(query);
            }
            Session session = session();
            log.add(query);
            log.add(session.getCatalogProperties(CATALOG).toString());
            List<List<Object>> expected = values(off(session), query);
            List<List<Object>> actual = values(session, query);
            int count = keys.size();
            if (query.startsWith("SELECT * FROM (")) {
                // the rows have no order
                assertThat(actual).hasSameSizeAs(expected);
                assertThat(keys(actual, count)).containsExactlyInAnyOrderElementsOf(keys(expected, count));
            }
            else {
                assertThat(keys(actual, count)).isEqualTo(keys(expected, count));
            }
            Set<List<Object>> rows = new HashSet<>(actual);
            assertThat(rows).hasSameSizeAs(actual);
            assertSelected(rows, values(off(session), "SELECT %s FROM %s".formatted(selected, source)), count);
            pushed += ((String) computeScalar(session, "EXPLAIN " + query)).contains("topN=") ? 1 : 0;
        }

        /**
         * Asserts that all rows are rows of the table. A message with all rows of both would leave out most of them.
         */
        private static void assertSelected(Set<List<Object>> rows, List<List<Object>> selected, int idColumn)
        {
            Set<List<Object>> unknown = Sets.difference(rows, new HashSet<>(selected));
            Set<Object> ids = unknown.stream().map(row -> row.get(idColumn)).collect(toImmutableSet());
            assertThat(unknown).as("Rows, while the table with %s rows has %s", selected.size(), selected.stream().filter(row -> ids.contains(row.get(idColumn))).toList()).isEmpty();
        }

        private Session session()
        {
            Session.SessionBuilder builder = Session.builder(getSession());
            for (String property : List.of(LAZY_READING, SEGMENT_PRUNING, ROW_GROUP_PRUNING, ROW_FILTERING, DYNAMIC_ROW_FILTERING)) {
                if (random.nextInt(8) == 0) {
                    builder.setCatalogSessionProperty(CATALOG, property, "false");
                }
            }
            if (random.nextBoolean()) {
                builder.setCatalogSessionProperty(CATALOG, MAX_SPLIT_SIZE, "4kB");
            }
            if (random.nextInt(3) == 0) {
                builder.setCatalogSessionProperty(CATALOG, READ_AHEAD, "ALWAYS");
            }
            return builder.build();
        }
    }

    private static Session off(Session session)
    {
        return Session.builder(session)
                .setCatalogSessionProperty(CATALOG, TOPN_PUSHDOWN_ENABLED, "false")
                .setCatalogSessionProperty(CATALOG, INDEX_ENABLED, "false")
                .build();
    }

    private static List<List<Object>> keys(List<List<Object>> rows, int count)
    {
        return rows.stream()
                .<List<Object>>map(row -> row.subList(0, count).stream()
                        .map(TestRandomTopN::key)
                        .collect(toImmutableList()))
                .collect(toImmutableList());
    }

    private static Object key(Object value)
    {
        // 0.0 and -0.0 are equal, so their order is random
        return switch (value) {
            case Double number when number == 0 -> 0.0;
            case Float number when number == 0 -> 0.0f;
            default -> value;
        };
    }

    private List<List<Object>> values(Session session, String query)
    {
        return computeActual(session, query).getMaterializedRows().stream()
                .map(TestRandomTopN::values)
                .collect(toImmutableList());
    }

    private static List<Object> values(MaterializedRow row)
    {
        return row.getFields().stream()
                .map(value -> switch (value) {
                    case null -> "NULL";
                    case byte[] bytes -> HexFormat.of().formatHex(bytes);
                    case ZonedDateTime time -> time.toInstant();
                    default -> value;
                })
                .collect(toImmutableList());
    }
}
