package io.albis.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.log.Logger;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.config.AlbisSessionProperties.EXPRESSION_FILTERING;
import static io.albis.trino.config.AlbisSessionProperties.INDEX_ENABLED;
import static io.albis.trino.config.AlbisSessionProperties.MAX_SPLIT_SIZE;
import static io.albis.trino.config.AlbisSessionProperties.READ_AHEAD;
import static io.albis.trino.config.AlbisSessionProperties.UPDATE_REWRITE_THRESHOLD;
import static java.util.stream.Collectors.joining;
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
    private static final Logger log = Logger.get(TestRandomIndexes.class);

    private static final String SEED = "indexes.seed";
    private static final int QUERIES = 5;
    private static final int MAX_FURTHER_ROUNDS = 20;
    // the types of the columns that a statement can drop and add again
    private static final Map<String, String> TYPES = ImmutableMap.<String, String>builder()
            .put("id", "bigint")
            .put("i", "integer")
            .put("d", "double")
            .put("r", "real")
            .put("s", "varchar")
            .put("v", "varbinary")
            .put("c", "char(100)")
            .put("z", "timestamp(3) with time zone")
            .put("x", "boolean")
            .put("e", "decimal(26, 2)")
            .put("a", "array(bigint)")
            .put("n", "row(i bigint, s varchar)")
            .buildOrThrow();
    private static final List<String> INDEXED = ImmutableList.of("id", "i", "d", "r", "s", "v", "c", "z", "x", "e");
    // the column of each kind of a single value; id always exists
    private static final List<String> VALUES = ImmutableList.of("i", "i", "i", "d", "d", "r", "s", "v", "c", "z", "e", "x", "id");
    // the columns of the comparisons by their kind; that of the fifth is a random one
    private static final List<String> COMPARED = ImmutableList.of("id", "i", "i", "i", "", "d", "d", "r", "s", "v", "c", "z", "x", "d", "d", "i", "s", "n", "a", "e");

    private long excluded;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(ImmutableList.of())
                .build();
    }

    /**
     * A single round, of which most statements change the columns.
     */
    @Test
    void testChangedColumns()
    {
        run(1, 3, false, true);
    }

    @Test
    @Tag("slow")
    void testManyChangedColumns()
    {
        run(6, 8, false, true);
    }

    @Test
    @Tag("slow")
    void testRandomPredicates()
    {
        run(6, 5, false, false);
    }

    /**
     * Compares with and without alternatives over several columns, where indexes are used in both cases.
     */
    @Test
    @Tag("slow")
    void testRandomAlternatives()
    {
        run(6, 5, true, false);
    }

    private void run(int rounds, int statements, boolean alternatives, boolean columnChanges)
    {
        String seed = System.getProperty(SEED);
        long firstSeed = seed == null ? new Random().nextLong() : Long.parseLong(seed);
        excluded = 0;
        // few tables may have no index that a query can use
        for (int round = 0; round < (seed == null ? rounds : 1) || (seed == null && excluded == 0 && round < rounds + MAX_FURTHER_ROUNDS); round++) {
            log.info("Repeat this round with -D%s=%s", SEED, firstSeed + round);
            new Round(firstSeed + round, alternatives, columnChanges).run(statements);
        }
        // otherwise the test would compare nothing; the single round of a seed may have no query that an index serves
        if (seed == null) {
            assertThat(excluded).as("%s rounds with -D%s=%s and the next ones: rows that indexes have excluded", rounds, SEED, firstSeed).isPositive();
        }
    }

    private final class Round
    {
        private final Random random;
        private final Session session = SortedLoad.session(getSession());
        private final boolean alternatives;
        private final boolean columnChanges;
        private final String table;
        private final List<String> statements = new ArrayList<>();
        // the names of the columns of each version that has changed them
        private final NavigableMap<Long, Map<String, String>> versions = new TreeMap<>();
        private Map<String, String> names = new LinkedHashMap<>();
        private long nextId = 1;
        private int renamed;
        private boolean widened;

        private Round(long seed, boolean alternatives, boolean columnChanges)
        {
            this.alternatives = alternatives;
            this.columnChanges = columnChanges;
            TYPES.keySet().forEach(column -> names.put(column, column));
            random = new Random(seed);
            table = "indexes_" + Long.toUnsignedString(seed);
            statements.add("-D%s=%s".formatted(SEED, seed));
        }

        private void run(int changes)
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
                for (int i = 0; i < changes; i++) {
                    change();
                    compare();
                }
            }
            catch (RuntimeException | AssertionError e) {
                throw new AssertionError(String.join("\n", statements), e);
            }
            finally {
                computeActual("DROP TABLE IF EXISTS " + table);
            }
        }

        private List<String> randomColumns()
        {
            List<String> columns = new ArrayList<>(INDEXED);
            columns.removeIf(column -> !names.containsKey(column) || random.nextInt(3) == 0);
            return columns.isEmpty() ? ImmutableList.of("id") : columns;
        }

        private String array(List<String> columns)
        {
            return columns.stream().map(column -> "'%s'".formatted(names.get(column))).collect(joining(", ", "ARRAY[", "]"));
        }

        private void execute(String sql)
        {
            statements.add(sql);
            Session withUpdates = Session.builder(session)
                    .setCatalogSessionProperty(CATALOG, UPDATE_REWRITE_THRESHOLD, random.nextBoolean() ? "0" : "1")
                    .build();
            computeActual(withUpdates, sql);
            versions.put(newestVersion(), ImmutableMap.copyOf(names));
        }

        private long newestVersion()
        {
            return (long) computeScalar("SELECT max(snapshot_id) FROM \"%s$snapshots\"".formatted(table));
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
            if (columnChanges && random.nextInt(3) > 0) {
                changeColumns();
                return;
            }
            switch (random.nextInt(9)) {
                case 0, 1 -> execute("INSERT INTO %s (%s) SELECT %s FROM (%s)".formatted(table, String.join(", ", names.values()), String.join(", ", names.keySet()), rows()));
                case 2, 3 -> execute("DELETE FROM %s WHERE %s".formatted(table, predicate()));
                case 4, 5 -> update();
                case 6 -> widen();
                case 7 -> execute("ALTER TABLE %s EXECUTE %s(columns => %s)".formatted(table, random.nextBoolean() ? "add_index" : "drop_index", array(randomColumns())));
                default -> execute("ALTER TABLE %s EXECUTE optimize".formatted(table));
            }
        }

        private void update()
        {
            Map<String, String> values = ImmutableMap.of(
                    "i", "%s + %s".formatted(names.get("i"), random.nextInt(100) - 50),
                    "s", "'updated'",
                    "d", random.nextBoolean() ? "nan()" : "-0e0",
                    "a", "ARRAY[%s]".formatted(random.nextInt(5)));
            String assignments = values.entrySet().stream()
                    .filter(value -> names.containsKey(value.getKey()))
                    .map(value -> "%s = %s".formatted(names.get(value.getKey()), value.getValue()))
                    .collect(joining(", "));
            if (!assignments.isEmpty()) {
                execute("UPDATE %s SET %s WHERE %s".formatted(table, assignments, predicate()));
            }
        }

        private void widen()
        {
            if (!widened) {
                widened = true;
                widen("i", "bigint");
                widen("e", "decimal(30, 2)");
            }
        }

        private void widen(String column, String type)
        {
            if (names.containsKey(column)) {
                execute("ALTER TABLE %s ALTER COLUMN %s SET DATA TYPE %s".formatted(table, names.get(column), type));
            }
        }

        private void changeColumns()
        {
            List<String> columns = new ArrayList<>(TYPES.keySet());
            String column = columns.get(random.nextInt(columns.size()));
            if (!names.containsKey(column)) {
                add(column);
            }
            else if (random.nextBoolean() || column.equals("id")) {
                rename(column);
            }
            else {
                drop(column);
            }
        }

        private void rename(String column)
        {
            String name = names.get(column);
            names.put(column, newName(column));
            execute("ALTER TABLE %s RENAME COLUMN %s TO %s".formatted(table, name, names.get(column)));
        }

        /**
         * Rows of other versions still have the column.
         */
        private void drop(String column)
        {
            String name = names.remove(column);
            List<String> indexed = randomColumns();
            execute("ALTER TABLE %s SET PROPERTIES sorted_by = DEFAULT, indexed_by = %s".formatted(table, array(indexed)));
            execute("ALTER TABLE %s DROP COLUMN %s".formatted(table, name));
        }

        /**
         * Adds a column that was dropped, which has the same name or another one, and none of its values.
         */
        private void add(String column)
        {
            names.put(column, random.nextBoolean() ? column : newName(column));
            String defaultValue = switch (column) {
                case "i" -> "5";
                case "s" -> "'5'";
                case "d" -> "0e0";
                case "x" -> "true";
                default -> null;
            };
            execute("ALTER TABLE %s ADD COLUMN %s %s%s".formatted(table, names.get(column), TYPES.get(column), defaultValue == null || random.nextBoolean() ? "" : " DEFAULT " + defaultValue));
            if (INDEXED.contains(column) && random.nextBoolean()) {
                execute("ALTER TABLE %s EXECUTE add_index(columns => %s)".formatted(table, array(ImmutableList.of(column))));
            }
        }

        private String newName(String column)
        {
            renamed++;
            return "%s_%s".formatted(column, renamed);
        }

        private String predicate()
        {
            if (random.nextInt(3) == 0) {
                return "%s AND %s".formatted(alternatives && random.nextBoolean() ? disjunction(1) : comparison(), exclusion());
            }
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

        /**
         * Returns a condition that excludes few values of one column, or of several ones.
         */
        private String exclusion()
        {
            return switch (random.nextInt(5)) {
                case 0 -> "NOT (%s AND %s)".formatted(value(), value());
                case 1 -> "NOT (%s OR %s)".formatted(value(), prefix());
                case 2 -> "NOT (%s AND (%s OR %s))".formatted(value(), value(), value());
                case 3 -> "NOT (%s AND %s)".formatted(value(), prefix());
                default -> "NOT %s AND NOT %s".formatted(value(), value());
            };
        }

        private String prefix()
        {
            return names.containsKey("s") ? "%s LIKE '%s%%'".formatted(names.get("s"), random.nextInt(100)) : value();
        }

        private String value()
        {
            int kind;
            do {
                kind = random.nextInt(VALUES.size());
            }
            while (!names.containsKey(VALUES.get(kind)));
            int value = random.nextInt(random.nextBoolean() ? 20 : 1000);
            return names.get(VALUES.get(kind)) + switch (kind) {
                case 0 -> " = %s".formatted(value);
                case 1 -> " IN (%s, %s, %s)".formatted(value, value + 3, random.nextInt(50));
                case 2 -> " IS NOT DISTINCT FROM %s".formatted(value);
                case 3 -> " = %s".formatted(random.nextBoolean() ? "0e0" : "-0e0");
                case 4 -> " IN (%se0 / 7, nan(), NULL)".formatted(value);
                case 5 -> " = REAL '%s'".formatted(random.nextBoolean() ? "-0.0" : "0.1");
                case 6 -> " = '%s'".formatted(value + (random.nextBoolean() ? "" : "z"));
                case 7 -> " = to_utf8('%s')".formatted(value);
                case 8 -> " = 'x%s'".formatted(random.nextBoolean() ? "yy" : "\t");
                case 9 -> " = from_unixtime(%s, 'UTC')".formatted(value);
                case 10 -> " = %s - DECIMAL '100000000000000000000.00'".formatted(value);
                case 11 -> random.nextBoolean() ? "" : " IS NOT DISTINCT FROM true";
                default -> " = %s".formatted(value);
            };
        }

        private String comparison()
        {
            String column;
            String comparison;
            do {
                int kind = random.nextInt(alternatives || columnChanges ? 20 : 14);
                column = kind == 4 ? INDEXED.get(random.nextInt(INDEXED.size())) : COMPARED.get(kind);
                comparison = comparison(kind, names.get(column));
            }
            while (!names.containsKey(column));
            return comparison;
        }

        private String comparison(int kind, String column)
        {
            int value = random.nextInt(random.nextBoolean() ? 20 : 1000);
            return (kind == 18 ? "element_at(%s, 2)".formatted(column) : column) + switch (kind) {
                case 0 -> " BETWEEN %1$s AND %1$s + %2$s".formatted(random.nextLong(1, nextId + 1), random.nextInt(200));
                case 1 -> " = " + value;
                case 2 -> " IN (%s, %s, %s)".formatted(value, value + 3, random.nextInt(50));
                case 3 -> " <> %s".formatted(value);
                case 4 -> " IS NULL";
                case 5 -> " = 0e0";
                case 6 -> " > %se0".formatted(value / 7);
                case 7 -> " BETWEEN REAL '-0.3' AND REAL '0.%s'".formatted(random.nextInt(10));
                case 8 -> " %s '%s'".formatted(random.nextBoolean() ? "=" : "<", value + (random.nextBoolean() ? "" : "z"));
                case 9 -> " >= to_utf8('%s')".formatted(value);
                case 10 -> " %s 'x%s'".formatted(random.nextBoolean() ? "=" : ">", random.nextBoolean() ? "yy" : "\t");
                case 11 -> " = from_unixtime(%s, 'UTC')".formatted(value);
                case 12 -> random.nextBoolean() ? "" : " = false";
                case 13 -> " <> %se0".formatted(value / 7);
                case 14 -> " IS %s DISTINCT FROM %s".formatted(random.nextBoolean() ? "NOT" : "", random.nextBoolean() ? "nan()" : "-0e0");
                case 15 -> " NOT BETWEEN %s AND %s".formatted(value - 500, value + 500);
                case 16 -> " LIKE '%s%%'".formatted(value % 100);
                case 17 -> ".i = %s".formatted(value);
                case 18 -> " = %s".formatted(random.nextInt(4));
                default -> " = %s - DECIMAL '100000000000000000000.00'".formatted(value);
            };
        }

        private void compare()
        {
            long newest = newestVersion();
            Map<String, String> newestNames = names;
            for (int i = 0; i < QUERIES; i++) {
                boolean old = random.nextInt(4) == 0;
                long number = old ? 1 + random.nextLong(newest) : newest;
                names = versions.floorEntry(number).getValue();
                String version = old ? " FOR VERSION AS OF " + number : "";
                String columns = String.join(", ", names.values());
                String query = "SELECT %s FROM %s%s WHERE %s".formatted(columns, table, version, predicate());
                if (random.nextInt(4) == 0) {
                    // a dynamic filter
                    String key = names.get(random.nextBoolean() && names.containsKey("i") ? "i" : "id");
                    query = "SELECT %s FROM %s%s WHERE %s IN (SELECT CAST(v AS bigint) FROM (VALUES 3, %s, %s) t (v))".formatted(columns, table, version, key, random.nextInt(50), random.nextInt(1000));
                }
                // not compared in any order, which takes time with the square of the number of rows
                query += " ORDER BY " + names.get("id");
                statements.add(query);
                compare(query);
            }
            names = newestNames;
        }

        private void compare(String query)
        {
            Session.SessionBuilder builder = Session.builder(getSession());
            Map<String, String> properties = ImmutableMap.<String, String>builder()
                    .putAll(IndexThresholds.random(random))
                    .put(MAX_SPLIT_SIZE, random.nextBoolean() ? "1kB" : "32MB")
                    .put(READ_AHEAD, random.nextBoolean() ? "ALWAYS" : "NEVER")
                    .buildOrThrow();
            statements.add(properties.toString());
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
