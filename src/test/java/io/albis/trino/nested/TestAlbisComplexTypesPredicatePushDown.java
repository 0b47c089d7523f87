package io.albis.trino.nested;

import io.albis.format.schema.AlbisLayout;
import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.BaseComplexTypesPredicatePushDownTest;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TestAlbisComplexTypesPredicatePushDown
        extends BaseComplexTypesPredicatePushDownTest
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setWorkerCount(0)
                .addAlbisProperty("albis.default-layout", layout().name())
                .build();
    }

    protected AlbisLayout layout()
    {
        return AlbisLayout.BLOCK;
    }

    /**
     * The inherited test expects that predicates on whole columns are not pushed down, so that rows are read that do
     * not match.
     */
    @Test
    @Override
    public void testRowTypeOnlyNullsRowGroupPruning()
    {
        try (TestTable table = newTrinoTable("test_nulls_pruning", "(col ROW(a BIGINT, b ARRAY(DOUBLE)))")) {
            String name = table.getName();
            assertUpdate("INSERT INTO %s SELECT * FROM unnest(transform(repeat(1, 4096), x -> ROW(ROW(NULL, ARRAY [NULL, rand()]))))".formatted(name), 4096);
            for (String none : new String[] {"col.a IS NOT NULL", "col.b IS NULL", "col IS NULL", "col.a = 1"}) {
                assertNoDataRead("SELECT * FROM %s WHERE %s".formatted(name, none));
            }
            for (String all : new String[] {"col.a IS NULL", "col.b IS NOT NULL", "col IS NOT NULL"}) {
                assertQuery("SELECT count(*), count(col), count(col.a), count(col.b) FROM %s WHERE %s".formatted(name, all), "VALUES (4096, 4096, 0, 4096)");
            }
        }
    }

    /**
     * The inherited test expects that predicates on elements are not pushed down.
     */
    @Test
    @Override
    public void testArrayTypeRowGroupPruning()
    {
        try (TestTable table = newTrinoTable("test_array_pruning", "(col ARRAY(BIGINT))")) {
            assertUpdate("INSERT INTO %s SELECT * FROM unnest(transform(sequence(1, 10000), x -> ROW(ARRAY[100, 200])))".formatted(table.getName()), 10000);
            assertElements(table, "col[1] = -1", "col = ARRAY[-1, -1]", "col[1] = 100 AND col = ARRAY[100, 200]");
        }
    }

    /**
     * The inherited test expects that predicates on values of maps are not pushed down.
     */
    @Test
    @Override
    public void testMapTypeRowGroupPruning()
    {
        try (TestTable table = newTrinoTable("test_map_pruning", "(col MAP(VARCHAR, BIGINT))")) {
            assertUpdate("INSERT INTO %s SELECT * FROM unnest(transform(sequence(1, 10000), x -> ROW(MAP(ARRAY['FOO', 'BAR'], ARRAY[100, 200]))))".formatted(table.getName()), 10000);
            assertElements(table, "col['FOO'] = -1", "col = MAP(ARRAY['FOO', 'BAR'], ARRAY[-1, -1])", "col['FOO'] = 100 AND col = MAP(ARRAY['FOO', 'BAR'], ARRAY[100, 200])");
        }
    }

    /**
     * @param element a predicate on an element, which no row matches
     * @param whole a predicate on the whole column, which no row matches, and which the engine evaluates
     * @param all a predicate that all 10,000 rows match
     */
    private void assertElements(TestTable table, String element, String whole, String all)
    {
        assertNoDataRead("SELECT * FROM %s WHERE %s".formatted(table.getName(), element));
        assertQueryStats(
                getSession(),
                "SELECT * FROM %s WHERE %s".formatted(table.getName(), whole),
                statistics -> assertThat(statistics.getProcessedInputDataSize().toBytes()).isPositive(),
                results -> assertThat(results.getRowCount()).isZero());
        assertQuery("SELECT count(*) FROM %s WHERE %s".formatted(table.getName(), all), "VALUES 10000");
    }
}
