package io.albis.trino.nested;

import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.BaseComplexTypesPredicatePushDownTest;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;

final class TestAlbisComplexTypesPredicatePushDown
        extends BaseComplexTypesPredicatePushDownTest
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder().setWorkerCount(0).build();
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
}
