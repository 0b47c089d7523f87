package io.albis.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.config.AlbisSessionProperties.EXPRESSION_FILTERING;
import static io.albis.trino.config.AlbisSessionProperties.INDEX_ENABLED;
import static io.albis.trino.config.AlbisSessionProperties.MAX_SPLIT_SIZE;
import static io.albis.trino.config.AlbisSessionProperties.READ_AHEAD;
import static io.albis.trino.config.AlbisSessionProperties.UPDATE_REWRITE_THRESHOLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * Compares random queries over a table that random statements change, with and without indexes. The thresholds are such
 * that indexes are used in small row groups, too. A seed in the system property {@code indexes.seed} repeats one round.
 */
@TestInstance(PER_CLASS)
@Execution(SAME_THREAD)
final class TestRandomIndexes
        extends AbstractTestQueryFramework
{
    private static final String SEED = "indexes.seed";
    private static final int QUERIES = 5;
    private static final List<String> COLUMNS = ImmutableList.of("id", "i", "d", "r", "s", "v", "c", "z", "x", "e", "a", "n");
    private static final List<String> INDEXED = ImmutableList.of("id", "i", "d", "r", "s", "v", "c", "z", "x", "e");

    private long excluded;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(ImmutableList.of())
                .build();
    }

    @Test
    @Tag("slow")
    void testRandomPredicates()
    {
        run(10, 5, false);
    }

    /**
     * Compares with and without alternatives over several columns, where indexes are used in both cases.
     */
    @Test
    @Tag("slow")
    void testRandomAlternatives()
    {
        run(10, 5, true);
    }

    private void run(int rounds, int statements, boolean alternatives)
    {
        String seed = System.getProperty(SEED);
        long firstSeed = seed == null ? new Random().nextLong() : Long.parseLong(seed);
        excluded = 0;
        for (int round = 0; round < (seed == null ? rounds : 1); round++) {
            new Round(firstSeed + round, alternatives).run(statements);
        }
        // otherwise the test would compare nothing
        assertThat(excluded).as("-D%s=%s: rows that indexes have excluded", SEED, firstSeed).isPositive();
    }

    private final class Round
    {
        private final Random random;
        private final Session session = SortedLoad.session(getSession());
        private final boolean alternatives;
        private final String table;
        private final List<String> log = new ArrayList<>();
        private long nextId = 1;
        private boolean widened;

        private Round(long seed, boolean alternatives)
        {
            this.alternatives = alternatives;
            random = new Random(seed);
            table = "indexes_" + Long.toUnsignedString(seed);
            log.add("-D%s=%s".formatted(SEED, seed));
        }

        private void run(int statements)
        {
            try {
                execute("CREATE TABLE %s WITH (layout = '%s', segment_size = '%s', row_group_rows = %s%s) AS %s".formatted(
                        table,
                        random.nextInt(3) == 0 ? "row" : "block",
                        random.nextBoolean() ? "8kB" : "1MB",
                        50 + random.nextInt(2000),
                        RandomAccessPaths.properties(random, INDEXED),
                        rows()));
                compare();
                for (int i = 0; i < statements; i++) {
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

        private List<String> randomColumns()
        {
            List<String> columns = new ArrayList<>(INDEXED);
            columns.removeIf(_ -> random.nextInt(3) == 0);
            return columns.isEmpty() ? ImmutableList.of("i") : columns;
        }

        private static String quoted(List<String> columns)
        {
            return "'" + String.join("', '", columns) + "'";
        }

        private void execute(String sql)
        {
            log.add(sql);
            Session withUpdates = Session.builder(session)
                    .setCatalogSessionProperty(CATALOG, UPDATE_REWRITE_THRESHOLD, random.nextBoolean() ? "0" : "1")
                    .build();
            computeActual(withUpdates, sql);
        }

        /**
         * Returns a query for rows with new ids, which are not sorted by any other column.
         */
        private String rows()
        {
            long firstId = nextId;
            nextId += 500 + random.nextInt(2000);
            return """
                   SELECT
                       id,
                       IF(id %% %1$s = 0, NULL, CAST(id * 7919 %% %2$s AS integer)) i,
                       CASE id %% %3$s WHEN 0 THEN nan() WHEN 1 THEN -0e0 WHEN 2 THEN 0e0 WHEN 3 THEN NULL ELSE CAST(id * 31 %% %2$s AS double) / 7 END d,
                       CASE id %% %4$s WHEN 0 THEN CAST(nan() AS real) WHEN 1 THEN REAL '-0.0' WHEN 2 THEN NULL ELSE CAST(id %% 9 - %5$s AS real) / 10 END r,
                       IF(id %% %1$s = 1, NULL, rpad(CAST(id * 13 %% %2$s AS varchar), 1 + CAST(id %% %6$s AS integer), IF(id %% 3 = 0, 'é', 'z'))) s,
                       IF(id %% %3$s = 1, NULL, to_utf8(CAST(id * 17 %% %2$s AS varchar))) v,
                       IF(id %% %4$s = 1, NULL, CAST(rpad('x', 1 + CAST(id %% %6$s AS integer), IF(id %% 2 = 0, 'y', chr(9))) AS char(100))) c,
                       IF(id %% %1$s = 2, NULL, from_unixtime(id * 19 %% %2$s, IF(id %% 2 = 0, 'UTC', 'Asia/Kolkata'))) z,
                       IF(id %% %3$s = 2, NULL, id %% %4$s < 3) x,
                       IF(id %% %4$s = 2, NULL, CAST(id * 23 %% %2$s AS decimal(25, 2)) - DECIMAL '100000000000000000000.00') e,
                       IF(id %% %3$s = 0, NULL, sequence(1, id %% 4)) a,
                       IF(id %% %4$s = 0, NULL, CAST(ROW(id %% %2$s, 'n') AS ROW(i bigint, s varchar))) n
                   FROM UNNEST(sequence(%7$s, %8$s)) t (id)
                   """.formatted(modulus(), 5 + random.nextInt(random.nextBoolean() ? 20 : 1000), modulus(), modulus(), random.nextInt(9), 1 + random.nextInt(20), firstId, nextId - 1);
        }

        private int modulus()
        {
            return 4 + random.nextInt(random.nextBoolean() ? 10 : 300);
        }

        private void change()
        {
            switch (random.nextInt(9)) {
                case 0, 1 -> execute("INSERT INTO %s (%s) %s".formatted(table, String.join(", ", COLUMNS), rows()));
                case 2, 3 -> execute("DELETE FROM %s WHERE %s".formatted(table, predicate()));
                case 4, 5 -> execute("UPDATE %s SET i = i + %s, s = 'updated', d = %s WHERE %s".formatted(table, random.nextInt(100) - 50, random.nextBoolean() ? "nan()" : "-0e0", predicate()));
                case 6 -> widen();
                case 7 -> execute("ALTER TABLE %s EXECUTE %s(columns => ARRAY[%s])".formatted(table, random.nextBoolean() ? "add_index" : "drop_index", quoted(randomColumns())));
                default -> execute("ALTER TABLE %s EXECUTE optimize".formatted(table));
            }
        }

        private void widen()
        {
            if (!widened) {
                execute("ALTER TABLE %s ALTER COLUMN i SET DATA TYPE bigint".formatted(table));
                execute("ALTER TABLE %s ALTER COLUMN e SET DATA TYPE decimal(30, 2)".formatted(table));
                widened = true;
            }
        }

        private String predicate()
        {
            if (alternatives) {
                return disjunction(2);
            }
            StringBuilder predicate = new StringBuilder(comparison());
            for (int i = random.nextInt(3); i > 0; i--) {
                predicate.append(random.nextInt(3) == 0 ? " OR " : " AND ").append(comparison());
            }
            return random.nextInt(6) == 0 ? "NOT (%s)".formatted(predicate) : predicate.toString();
        }

        /**
         * Returns alternatives of conjunctions, which may have alternatives and negations themselves.
         */
        private String disjunction(int depth)
        {
            List<String> branches = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0 || branches.size() < 2; i--) {
                StringBuilder branch = new StringBuilder(comparison());
                for (int j = random.nextInt(3); j > 0; j--) {
                    branch.append(" AND ").append(depth > 0 && random.nextInt(4) == 0 ? disjunction(depth - 1) : comparison());
                }
                branches.add(random.nextInt(6) == 0 ? "NOT (%s)".formatted(branch) : branch.toString());
            }
            return "(%s)".formatted(String.join(" OR ", branches));
        }

        private String comparison()
        {
            int value = random.nextInt(random.nextBoolean() ? 20 : 1000);
            return switch (random.nextInt(alternatives ? 20 : 14)) {
                case 0 -> "id BETWEEN %1$s AND %1$s + %2$s".formatted(random.nextLong(1, nextId + 1), random.nextInt(200));
                case 1 -> "i = " + value;
                case 2 -> "i IN (%s, %s, %s)".formatted(value, value + 3, random.nextInt(50));
                case 3 -> "i <> %s".formatted(value);
                case 4 -> "%s IS NULL".formatted(INDEXED.get(random.nextInt(INDEXED.size())));
                case 5 -> "d = 0e0";
                case 6 -> "d > %se0".formatted(value / 7);
                case 7 -> "r BETWEEN REAL '-0.3' AND REAL '0.%s'".formatted(random.nextInt(10));
                case 8 -> "s %s '%s'".formatted(random.nextBoolean() ? "=" : "<", value + (random.nextBoolean() ? "" : "z"));
                case 9 -> "v >= to_utf8('%s')".formatted(value);
                case 10 -> "c %s 'x%s'".formatted(random.nextBoolean() ? "=" : ">", random.nextBoolean() ? "yy" : "\t");
                case 11 -> "z = from_unixtime(%s, 'UTC')".formatted(value);
                case 12 -> random.nextBoolean() ? "x" : "NOT x";
                case 13 -> "d <> %se0".formatted(value / 7);
                case 14 -> "d IS %s DISTINCT FROM %s".formatted(random.nextBoolean() ? "NOT" : "", random.nextBoolean() ? "nan()" : "-0e0");
                case 15 -> "i NOT BETWEEN %s AND %s".formatted(value - 500, value + 500);
                case 16 -> "s LIKE '%s%%'".formatted(value % 100);
                case 17 -> "n.i = %s".formatted(value);
                case 18 -> "element_at(a, 2) = %s".formatted(random.nextInt(4));
                default -> "e = %s - DECIMAL '100000000000000000000.00'".formatted(value);
            };
        }

        private void compare()
        {
            long newest = (long) computeScalar("SELECT max(snapshot_id) FROM \"%s$snapshots\"".formatted(table));
            for (int i = 0; i < QUERIES; i++) {
                String version = random.nextInt(4) == 0 ? " FOR VERSION AS OF " + (1 + random.nextLong(newest)) : "";
                String query = "SELECT %s FROM %s%s WHERE %s".formatted(String.join(", ", COLUMNS), table, version, predicate());
                if (random.nextInt(4) == 0) {
                    // a dynamic filter
                    query = "SELECT %s FROM %s%s WHERE %s IN (SELECT CAST(v AS bigint) FROM (VALUES 3, %s, %s) t (v))".formatted(String.join(", ", COLUMNS), table, version, random.nextBoolean() ? "i" : "id", random.nextInt(50), random.nextInt(1000));
                }
                // not compared in any order, which takes time with the square of the number of rows
                query += " ORDER BY id";
                log.add(query);
                compare(query);
            }
        }

        private void compare(String query)
        {
            Session.SessionBuilder builder = Session.builder(getSession());
            Map<String, String> properties = ImmutableMap.<String, String>builder()
                    .putAll(IndexThresholds.random(random))
                    .put(MAX_SPLIT_SIZE, random.nextBoolean() ? "1kB" : "32MB")
                    .put(READ_AHEAD, random.nextBoolean() ? "ALWAYS" : "NEVER")
                    .buildOrThrow();
            log.add(properties.toString());
            properties.forEach((name, value) -> builder.setCatalogSessionProperty(CATALOG, name, value));
            Session scanning = Session.builder(getSession())
                    .setCatalogSessionProperty(CATALOG, alternatives ? EXPRESSION_FILTERING : INDEX_ENABLED, "false")
                    .build();
            MaterializedResultWithPlan expected = getDistributedQueryRunner().executeWithPlan(scanning, query);
            MaterializedResultWithPlan actual = getDistributedQueryRunner().executeWithPlan(builder.build(), query);
            assertThat(actual.result().getMaterializedRows()).as(query).isEqualTo(expected.result().getMaterializedRows());
            excluded += Math.max(0, IndexSearches.excludedRows(getDistributedQueryRunner(), actual.queryId()) - IndexSearches.excludedRows(getDistributedQueryRunner(), expected.queryId()));
        }
    }
}
