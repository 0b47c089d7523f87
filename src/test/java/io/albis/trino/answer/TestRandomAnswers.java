package io.albis.trino.answer;

import com.google.common.collect.ImmutableList;
import io.airlift.log.Logger;
import io.albis.trino.IndexSearches;
import io.albis.trino.IndexThresholds;
import io.albis.trino.RandomAccessPaths;
import io.albis.trino.SortedLoad;
import io.trino.Session;
import io.trino.testing.DistributedQueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares random aggregations over a table that random statements change with answers from the metadata and indexes
 * and without them. A seed in the system property {@code answers.seed} repeats one round.
 */
final class TestRandomAnswers
        extends BaseAnswersTest
{
    private static final Logger log = Logger.get(TestRandomAnswers.class);

    private static final String SEED = "answers.seed";
    private static final int STATEMENTS = 6;
    private static final int QUERIES = 10;
    private static final List<String> SCALARS = ImmutableList.of("id", "i", "d", "r", "s", "v", "c", "z", "x", "e");
    // the engine can count and group these, but not order them
    private static final List<String> NESTED = ImmutableList.of("w", "a", "m");
    private static final List<String> COLUMNS = ImmutableList.<String>builder().addAll(SCALARS).addAll(NESTED).build();
    private static final List<String> PARTS = ImmutableList.of("w.i", "w.s", "element_at(a, 2)", "element_at(m, 'a')");
    // functions with few values, because each of them has a row group in each load
    private static final List<String> FUNCTIONS = ImmutableList.of("x", "r", "truncate(s, 1)", "bucket(id, 4)", "bucket(s, 2)", "year(z)", "truncate(i, 100)");

    private static final int MAX_FURTHER_ROUNDS = 20;

    private final IndexSearches searches = new IndexSearches();
    private int answered;
    private int scanned;

    @Override
    DistributedQueryRunner.Builder<?> configure(DistributedQueryRunner.Builder<?> builder)
    {
        return builder.amendSession(IndexThresholds::lowest).setEventListener(searches);
    }

    @Test
    void testRandomAggregations()
    {
        run(1);
    }

    @Test
    @Tag("slow")
    void testManyRandomAggregations()
    {
        run(6);
    }

    private void run(int rounds)
    {
        String seed = System.getProperty(SEED);
        long firstSeed = seed == null ? new Random().nextLong() : Long.parseLong(seed);
        answered = 0;
        scanned = 0;
        if (seed != null) {
            new Round(firstSeed).run();
            return;
        }
        // otherwise the test would compare nothing
        for (int round = 0; round < rounds || ((answered == 0 || scanned == 0 || searches.excludedRows() == 0) && round < rounds + MAX_FURTHER_ROUNDS); round++) {
            new Round(firstSeed + round).run();
        }
        assertThat(answered).isPositive();
        assertThat(scanned).isPositive();
        searches.assertSearched();
    }

    private final class Round
    {
        private final Random random;
        private final Session session = SortedLoad.session(getSession());
        private final String table;
        private final List<String> statements = new ArrayList<>();
        private final List<String> columns = new ArrayList<>(SCALARS);
        private long nextId = 1;
        private boolean widened;

        private Round(long seed)
        {
            random = new Random(seed);
            table = "answers_" + Long.toUnsignedString(seed);
            log.info("Repeat this round with -D%s=%s", SEED, seed);
            statements.add("-D%s=%s".formatted(SEED, seed));
        }

        private void run()
        {
            try {
                execute("CREATE TABLE %s WITH (row_group_rows = %s, partitioned_by = %s%s) AS %s".formatted(table, (random.nextBoolean() ? 1 : 5) + random.nextInt(random.nextBoolean() ? 3 : 100), partitions(), RandomAccessPaths.properties(random, SCALARS), rows()));
                compare();
                for (int i = 0; i < STATEMENTS; i++) {
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

        /**
         * Half of the tables are partitioned.
         */
        private String partitions()
        {
            if (random.nextBoolean()) {
                return "ARRAY[]";
            }
            String first = FUNCTIONS.get(random.nextInt(FUNCTIONS.size()));
            String second = FUNCTIONS.get(random.nextInt(FUNCTIONS.size()));
            return first.equals(second) || random.nextBoolean() ? "ARRAY['%s']".formatted(first) : "ARRAY['%s', '%s']".formatted(first, second);
        }

        private void execute(String sql)
        {
            statements.add(sql);
            computeActual(session, sql);
        }

        /**
         * Returns a query for rows with new ids. NaN, the two zeros, and nulls are in many of the row groups, or only
         * in a few.
         */
        private String rows()
        {
            long firstId = nextId;
            nextId += 1 + random.nextInt(300);
            return """
                   SELECT
                       id,
                       IF(id %% %1$s = 0, NULL, CAST(id / %2$s AS integer)) i,
                       CASE id %% %3$s WHEN 0 THEN nan() WHEN 1 THEN -0e0 WHEN 2 THEN 0e0 WHEN 3 THEN NULL ELSE CAST(id AS double) / 7 END d,
                       CASE id %% %4$s WHEN 0 THEN CAST(nan() AS real) WHEN 1 THEN REAL '-0.0' ELSE CAST(id %% 9 - %5$s AS real) / 10 END r,
                       IF(id %% %1$s = 1, NULL, rpad(CAST(id %% 10 AS varchar), 1 + id %% %6$s, IF(id %% 3 = 0, 'é', 'z'))) s,
                       IF(id %% %3$s = 1, NULL, from_hex(rpad('6' || CAST(id %% 5 AS varchar), 2 + 2 * (id %% %6$s), IF(id %% 2 = 0, 'FF', '00')))) v,
                       IF(id %% %4$s = 1, NULL, CAST(rpad('x', 1 + id %% %6$s, IF(id %% 2 = 0, 'y', chr(9))) AS char(100))) c,
                       IF(id %% %1$s = 2, NULL, from_unixtime(id * %2$s, IF(id * %2$s %% 2 = 0, 'UTC', 'Asia/Kolkata'))) z,
                       IF(id %% %3$s = 2, NULL, id %% %4$s < 3) x,
                       IF(id %% %4$s = 2, NULL, CAST(id * DECIMAL '100000000000.01' - %2$s AS decimal(25, 2))) e,
                       IF(id %% %1$s = 1, NULL, CAST(ROW(IF(id %% %3$s = 0, NULL, id / %2$s), CAST(id %% 7 AS varchar)) AS ROW(i bigint, s varchar))) w,
                       IF(id %% %3$s = 0, NULL, sequence(1, id %% %4$s %% 5)) a,
                       IF(id %% %4$s = 0, NULL, IF(id %% 2 = 0, MAP(ARRAY['a', 'b'], ARRAY[id %% 7, NULL]), MAP(ARRAY['b', 'a'], ARRAY[NULL, id %% 7]))) m
                   FROM UNNEST(sequence(%7$s, %8$s)) t (id)
                   ORDER BY %9$s
                   """.formatted(modulus(), 1 + random.nextInt(50), modulus(), modulus(), random.nextInt(9), 1 + random.nextInt(90), firstId, nextId - 1, random.nextBoolean() ? "id" : "id % 17");
        }

        private int modulus()
        {
            return 4 + (random.nextBoolean() ? random.nextInt(10) : random.nextInt(1000));
        }

        private void change()
        {
            switch (random.nextInt(9)) {
                case 0, 1 -> execute("INSERT INTO %s (%s) %s".formatted(table, String.join(", ", COLUMNS), rows()));
                case 2, 3 -> execute("DELETE FROM %s WHERE %s".formatted(table, predicate()));
                case 4 -> execute("UPDATE %s SET i = i + %s, s = 'updated', d = %s WHERE %s".formatted(table, random.nextInt(100) - 50, random.nextBoolean() ? "nan()" : "-0e0", predicate()));
                case 5 -> addColumn();
                case 6 -> widen();
                case 7 -> execute("ALTER TABLE %s SET PROPERTIES partitioned_by = %s".formatted(table, partitions()));
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
            return switch (random.nextInt(16)) {
                case 0 -> "id <= " + id;
                case 1 -> "id BETWEEN %s AND %s".formatted(id, id + random.nextInt(200));
                case 2 -> "i IS NULL";
                case 3 -> "i IS NOT NULL AND id > " + id;
                case 4 -> "s IS NOT NULL";
                case 5 -> "d > " + random.nextInt(40);
                case 6 -> "v >= X'62'";
                case 7 -> "z < from_unixtime(%s) OR z IS NULL".formatted(id * random.nextInt(50));
                case 8 -> "id %% %s = 0".formatted(2 + random.nextInt(5));
                case 9 -> "r IN (REAL '0.1', REAL '0.0', REAL '0.3')";
                case 10 -> "id IN (%s, %s)".formatted(id, 1 + random.nextLong(nextId));
                case 11 -> "s LIKE '%s%%' OR s IS NULL".formatted(random.nextInt(10));
                case 12 -> "w.i = %s".formatted(random.nextInt(20));
                case 13 -> "w IS NULL OR element_at(a, 2) = 2";
                case 14 -> "element_at(m, 'a') > %s AND NOT x".formatted(random.nextInt(7));
                default -> "x";
            };
        }

        private void compare()
        {
            long newest = (long) computeScalar("SELECT max(snapshot_id) FROM \"%s$snapshots\"".formatted(table));
            for (int i = 0; i < QUERIES; i++) {
                boolean old = random.nextInt(4) == 0;
                String version = old ? " FOR VERSION AS OF " + (1 + random.nextLong(newest)) : "";
                String where = random.nextBoolean() ? "" : " WHERE " + predicate();
                List<String> names = old ? SCALARS : columns;
                String key = switch (random.nextInt(8)) {
                    case 0 -> NESTED.get(random.nextInt(NESTED.size()));
                    case 1 -> PARTS.get(random.nextInt(PARTS.size()));
                    default -> names.get(random.nextInt(names.size()));
                };
                boolean grouped = random.nextInt(3) == 0;
                String query = "SELECT %s FROM %s%s%s%s".formatted(functions(names), table, version, where, grouped ? " GROUP BY " + key : "");
                if (grouped && random.nextBoolean()) {
                    query = query.replaceFirst("SELECT .* FROM", "SELECT DISTINCT %s FROM".formatted(key)).replaceFirst(" GROUP BY .*", "");
                }
                else if (grouped) {
                    query = query.replaceFirst("SELECT", "SELECT %s,".formatted(key));
                }
                statements.add(query);
                if (isAnswered(query)) {
                    answered++;
                }
                else {
                    scanned++;
                }
            }
        }

        private String functions(List<String> columns)
        {
            List<String> functions = new ArrayList<>();
            int count = random.nextInt(4) == 0 ? 3 : 1;
            while (functions.size() < count) {
                String column = random.nextInt(8) == 0 ? PARTS.get(random.nextInt(PARTS.size())) : columns.get(random.nextInt(columns.size()));
                functions.add(switch (random.nextInt(7)) {
                    case 0 -> "count(*)";
                    case 1 -> "count(%s)".formatted(column);
                    case 6 -> "count(%s)".formatted(NESTED.get(random.nextInt(NESTED.size())));
                    case 2, 3 -> "min(%s)".formatted(column);
                    default -> "max(%s)".formatted(column);
                });
            }
            return String.join(", ", functions);
        }
    }
}
