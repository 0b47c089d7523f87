package io.albis.trino.pushdown;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ScanStatistics;
import io.albis.trino.SortedLoad;
import io.trino.sql.planner.plan.FilterNode;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static java.lang.String.join;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The engine compares CHAR columns as varchar, so such a comparison is not a domain of the column.
 */
final class TestAlbisCharPredicates
        extends AbstractTestQueryFramework
{
    private static final int ROWS = 600;
    private static final int ROW_GROUP_ROWS = 50;
    private static final int PREDICATES = 60;
    private static final int LENGTH = 4;
    private static final String[] CHARACTERS = {"\\0001", "\\001F", " ", " ", "!", "a", "a", "b", "\\007F", "\\00E9", "\\+01F4A9"};

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        QueryRunner queryRunner = AlbisQueryRunner.builder().setWorkerCount(0).build();
        queryRunner.execute("CREATE SCHEMA memory.test");
        return queryRunner;
    }

    /**
     * Queries return the same rows as with a connector that leaves all predicates to the engine.
     */
    @Test
    @Tag("slow")
    void testSameAsMemory()
    {
        long seed = new Random().nextLong();
        System.out.println("Predicates on CHAR by seed " + seed);
        Random random = new Random(seed);
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add("(%s, %s)".formatted(i, random.nextInt(20) == 0 ? "NULL" : "CAST(%s AS char(%s))".formatted(literal(random, LENGTH), LENGTH)));
        }
        assertUpdate("CREATE TABLE memory.test.chars AS SELECT * FROM (VALUES %s) t (id, c)".formatted(join(", ", rows)), ROWS);
        assertUpdate(
                SortedLoad.session(getSession()),
                "CREATE TABLE chars WITH (row_group_rows = %s) AS SELECT * FROM memory.test.chars ORDER BY c, id".formatted(ROW_GROUP_ROWS),
                ROWS);
        int found = 0;
        int foundInPruned = 0;
        for (int i = 0; i < PREDICATES; i++) {
            String predicate = predicate(random);
            List<?> expected = ids("memory.test.chars", predicate);
            MaterializedResultWithPlan result = getDistributedQueryRunner().executeWithPlan(getSession(), select("chars", predicate));
            assertThat(ids(result.result())).as(predicate).isEqualTo(expected);
            if (!expected.isEmpty()) {
                found++;
                foundInPruned += ScanStatistics.of(getDistributedQueryRunner(), result.queryId()).split("Albis row groups pruned") > 0 ? 1 : 0;
            }
        }
        assertThat(found).isGreaterThan(PREDICATES / 4);
        // The rows are sorted, so that the bounds of row groups allow pruning
        assertThat(foundInPruned).isGreaterThan(PREDICATES / 8);
        assertUpdate("DROP TABLE memory.test.chars");
        assertUpdate("DROP TABLE chars");
    }

    private List<?> ids(String table, String predicate)
    {
        return ids(computeActual(select(table, predicate)));
    }

    private static List<?> ids(MaterializedResult result)
    {
        return result.getOnlyColumn().sorted().toList();
    }

    private static String select(String table, String predicate)
    {
        return "SELECT id FROM %s WHERE %s".formatted(table, predicate);
    }

    private static String predicate(Random random)
    {
        return switch (random.nextInt(10)) {
            case 0 -> "c IN (%s, %s, %s, %s)".formatted(literal(random, 5), literal(random, 2), literal(random, 2), literal(random, 1));
            case 1 -> "c BETWEEN %s AND %s".formatted(literal(random, 1), literal(random, 5));
            case 2 -> "c LIKE %s".formatted(pattern(random));
            case 3 -> "CAST(c AS varchar) LIKE %s".formatted(pattern(random));
            case 4 -> "CAST(c AS varchar(%s)) %s %s".formatted(1 + random.nextInt(LENGTH + 2), operator(random), literal(random, LENGTH));
            case 5 -> "%s %s c".formatted(literal(random, 5), operator(random));
            case 6 -> "(c %s %s OR c IS NULL)".formatted(operator(random), literal(random, 2));
            case 7 -> "(c %s %s OR id < 20)".formatted(operator(random), literal(random, 2));
            case 8 -> "(%s AND %s)".formatted(predicate(random), predicate(random));
            default -> "c %s %s".formatted(operator(random), literal(random, 5));
        };
    }

    private static String operator(Random random)
    {
        return new String[] {"=", "<>", "<", "<=", ">", ">=", "IS NOT DISTINCT FROM"}[random.nextInt(7)];
    }

    private static String pattern(Random random)
    {
        return switch (random.nextInt(3)) {
            case 0 -> "concat(%s, '%%')".formatted(literal(random, 2));
            case 1 -> "concat(%s, '$_%%') ESCAPE '$'".formatted(literal(random, 1));
            default -> "concat(%s, '_', %s, '%%')".formatted(literal(random, 1), literal(random, 1));
        };
    }

    private static String literal(Random random, int maxLength)
    {
        StringBuilder text = new StringBuilder("U&'");
        for (int i = random.nextInt(maxLength + 1); i > 0; i--) {
            text.append(CHARACTERS[random.nextInt(CHARACTERS.length)]);
        }
        return text.append("'").toString();
    }

    @Test
    void testReachesTheScan()
    {
        assertUpdate("CREATE TABLE states WITH (row_group_rows = 1) AS SELECT CAST(state AS char(2)) state, id FROM (VALUES ('TN', 1), ('CA', 2), ('NY', 3), ('OH', 4), (NULL, 5)) t (state, id)", 5);
        assertRead("state = 'CA'", 1);
        assertRead("state IN ('CA', 'NY')", 2);
        assertRead("state BETWEEN 'CA' AND 'NY'", 2);
        // The reader also returns the bound itself, which the engine then excludes
        assertRead("state > 'NY'", 3);
        assertRead("state LIKE 'T%'", 1);
        assertRead("state LIKE 'C_'", 1);
        assertRead("CAST(state AS varchar) LIKE 'O%'", 1);
        assertRead("state IN ('CA', 'NY') OR state IS NULL", 3);
        assertRead("state IN ('CA', 'NY') AND id < 3", 1);
        // No CHAR value of this column is that long
        assertRead("state IN ('CAL', 'CALI')", 0);
        // Nothing is known about the values, so nothing is pushed down to the reader
        assertThat(explain("state LIKE '%A'")).doesNotContain("prune by", "constraint on");
        assertThat(explain("state IN ('CA', 'NY') OR id = 1")).doesNotContain("prune by", "constraint on");
        assertThat(explain("upper(state) = 'CA'")).doesNotContain("prune by", "constraint on");

        assertThat(explain("state IN ('CA', 'NY')")).contains("prune by [state]");
        // The engine applies the predicate again
        assertThat(query("SELECT id FROM states WHERE state IN ('CA', 'NY')")).isNotFullyPushedDown(FilterNode.class);
        assertThat(query("SELECT id FROM states WHERE state = 'CA'")).isFullyPushedDown();
        assertUpdate("DROP TABLE states");
    }

    private void assertRead(String predicate, int rows)
    {
        String plan = (String) computeScalar("EXPLAIN ANALYZE VERBOSE SELECT id FROM states WHERE " + predicate);
        if (rows == 0) {
            assertThat(plan).doesNotContain("TableScan", "ScanFilter");
        }
        else {
            assertThat(plan).contains("'Albis rows' = LongCount{total=%s}".formatted(rows));
        }
    }

    private String explain(String predicate)
    {
        return (String) computeScalar("EXPLAIN SELECT id FROM states WHERE " + predicate);
    }

    /**
     * A predicate that the engine estimates must not be estimated twice.
     */
    @Test
    void testEstimates()
    {
        assertUpdate("CREATE TABLE people AS SELECT CAST(if(custkey % 2 = 0, 'M', 'F') AS char(1)) gender, CAST(substr(mktsegment, 1, 2) AS char(2)) segment FROM tpch.tiny.customer", 1500);
        // A fifth of each half and slightly more, because the engine assumes some correlation between the two
        assertRows("SELECT * FROM people WHERE gender = 'M' AND segment IN ('AU', 'BU')", 250, 450);
        assertRows("SELECT * FROM people WHERE segment IN ('AU', 'BU')", 500, 700);
        assertRows("SELECT * FROM people WHERE gender = 'M'", 700, 800);
        assertUpdate("DROP TABLE people");
    }

    private void assertRows(String sql, double min, double max)
    {
        double rows = (double) computeActual("SHOW STATS FOR (%s)".formatted(sql)).getMaterializedRows().getLast().getField(4);
        assertThat(rows).as(sql).isBetween(min, max);
    }
}
