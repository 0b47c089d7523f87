package io.albis.trino.write;

import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * CREATE OR REPLACE TABLE.
 */
final class TestAlbisReplaceTable
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder().build();
    }

    private Object property(String table, String key)
    {
        return computeScalar("SELECT value FROM \"%s$properties\" WHERE key = '%s'".formatted(table, key));
    }

    @Test
    void testReplace()
    {
        try (TestTable table = newTrinoTable("replaced", "(a, b) COMMENT 'old' WITH (row_group_rows = 10) AS VALUES (BIGINT '1', 'x'), (2, 'y')")) {
            String name = table.getName();
            Object uuid = property(name, "uuid");
            Object location = property(name, "location");

            assertUpdate("CREATE OR REPLACE TABLE %s (b date, c varchar COMMENT 'new') WITH (layout = 'row')".formatted(name));
            assertQueryReturnsEmptyResult("SELECT * FROM " + name);
            assertQuery("DESCRIBE " + name, "VALUES ('b', 'date', '', ''), ('c', 'varchar', '', 'new')");
            assertThat((String) computeScalar("SHOW CREATE TABLE " + name)).doesNotContain("old", "row_group_rows").contains("layout = 'row'");
            assertUpdate("INSERT INTO %s VALUES (DATE '2020-01-01', 'z')".formatted(name), 1);

            // the rows of the new table may come from the old one
            assertUpdate("CREATE OR REPLACE TABLE %1$s AS SELECT c || c AS a, 5 b FROM %1$s".formatted(name), 1);
            assertQuery("SELECT a, b FROM " + name, "VALUES ('zz', 5)");

            assertThat(property(name, "uuid")).isEqualTo(uuid);
            assertThat(property(name, "location")).isEqualTo(location);
            assertQuery("SELECT snapshot_id, operation, element_at(summary, 'deleted-records'), element_at(summary, 'added-records') FROM \"%s$snapshots\"".formatted(name),
                    "VALUES (1, 'create', NULL, '2'), (2, 'replace', '2', '0'), (3, 'append', NULL, '1'), (4, 'replace', '1', '1')");
            assertQuery("SELECT * FROM %s FOR VERSION AS OF 1".formatted(name), "VALUES (1, 'x'), (2, 'y')");
            assertQueryReturnsEmptyResult("SELECT * FROM %s FOR VERSION AS OF 2".formatted(name));
            assertQuery("SELECT b, c FROM %s FOR VERSION AS OF 3".formatted(name), "VALUES (DATE '2020-01-01', 'z')");
            // no column has the id of an earlier one
            assertQuery("SELECT element_at(value_counts, 1), element_at(value_counts, 4), value_counts[5], value_counts[6] FROM \"%s$files\"".formatted(name), "VALUES (NULL, NULL, 1, 1)");

            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(1)".formatted(name));
            assertQuery("SELECT a, b FROM " + name, "VALUES (1, 'x'), (2, 'y')");
            assertThat((String) computeScalar("SHOW CREATE TABLE " + name)).contains("old", "row_group_rows = 10");
            assertUpdate("INSERT INTO %s VALUES (3, 'z')".formatted(name), 1);
            assertUpdate("CREATE OR REPLACE TABLE %s AS SELECT 1 x".formatted(name), 1);
            assertQuery("SELECT value_counts[7] FROM \"%s$files\"".formatted(name), "VALUES 1");
        }
    }

    @Test
    void testFailedReplace()
    {
        try (TestTable table = newTrinoTable("not_replaced", "AS SELECT 1 a")) {
            String name = table.getName();
            assertQueryFails("CREATE OR REPLACE TABLE %s AS SELECT 'x' b, 1 / (n - 5000) c FROM UNNEST(sequence(1, 9000)) t (n)".formatted(name), "Division by zero");
            assertQueryFails("CREATE OR REPLACE TABLE %s (a HyperLogLog)".formatted(name), "Column 'a' has type HyperLogLog, which an Albis table cannot hold.*");
            assertQueryFails("CREATE OR REPLACE TABLE %s (a bigint) WITH (location = 'local:///warehouse/elsewhere')".formatted(name), "A table that is replaced stays in its folder .*");
            assertQuery("SELECT a FROM " + name, "VALUES 1");
            assertQuery("DESCRIBE " + name, "VALUES ('a', 'integer', '', '')");
            assertQuery("SELECT count(*) FROM \"%s$snapshots\"".formatted(name), "VALUES 1");
        }
    }

    @Test
    void testLocation()
    {
        String name = "replaced_elsewhere";
        assertUpdate("CREATE TABLE %s (a bigint) WITH (location = 'local:///warehouse/elsewhere')".formatted(name));
        assertUpdate("CREATE OR REPLACE TABLE %s (b bigint) WITH (location = 'local:///warehouse/elsewhere/')".formatted(name));
        assertUpdate("CREATE OR REPLACE TABLE %s (c bigint)".formatted(name));
        assertThat((String) computeScalar("SHOW CREATE TABLE " + name)).contains("location = 'local:///warehouse/elsewhere'");
        assertUpdate("DROP TABLE " + name);
        assertUpdate("CREATE OR REPLACE TABLE %s AS SELECT 1 d".formatted(name), 1);
        assertQuery("SELECT snapshot_id, operation FROM \"%s$snapshots\"".formatted(name), "VALUES (1, 'create')");
        assertUpdate("DROP TABLE " + name);
    }
}
