package io.albis.trino.view;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ConcurrentStatements;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static io.albis.trino.error.AlbisErrorCode.ALBIS_BAD_DATA;
import static io.trino.spi.StandardErrorCode.ALREADY_EXISTS;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.StandardErrorCode.TABLE_ALREADY_EXISTS;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Statements on materialized views, in addition to those of Trino's own tests of connectors.
 */
final class TestAlbisMaterializedViews
        extends AbstractTestQueryFramework
{
    private Path warehouse;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        DistributedQueryRunner queryRunner = AlbisQueryRunner.builder()
                .addAlbisProperty("albis.expire-snapshots.min-retention", "0s")
                .setWorkerCount(0)
                .build();
        warehouse = AlbisQueryRunner.warehouse(queryRunner);
        return queryRunner;
    }

    @Test
    void testRefresh()
    {
        assertUpdate("CREATE SCHEMA refreshed");
        assertUpdate("CREATE TABLE refreshed.sales AS SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, 'a')) t (n, item)", 3);
        assertUpdate("CREATE MATERIALIZED VIEW refreshed.totals GRACE PERIOD INTERVAL '0' SECOND COMMENT 'all of them' WITH (compression = 'lz4') AS SELECT item, sum(n) AS total FROM refreshed.sales GROUP BY item");
        assertFreshness("refreshed.totals", "STALE");
        assertThat(query("TABLE refreshed.totals")).matches("VALUES ('a', BIGINT '4'), ('b', 2)");
        assertThat(computeActual("TABLE refreshed.\"totals$storage\"").getRowCount()).isZero();
        assertUpdate("REFRESH MATERIALIZED VIEW refreshed.totals", 2);
        assertFreshness("refreshed.totals", "FRESH");
        assertThat(query("TABLE refreshed.totals")).matches("VALUES ('a', BIGINT '4'), ('b', 2)");
        assertThat(query("TABLE refreshed.\"totals$storage\"")).matches("VALUES ('a', BIGINT '4'), ('b', 2)");
        assertThat((String) computeScalar("EXPLAIN TABLE refreshed.totals")).contains("totals$storage").doesNotContain("refreshed.sales");
        // There is nothing to do
        assertUpdate("REFRESH MATERIALIZED VIEW refreshed.totals", 0);

        // These statements do not change the rows
        assertUpdate("COMMENT ON TABLE refreshed.sales IS 'sales'");
        computeActual("ALTER TABLE refreshed.sales EXECUTE create_tag('tag')");
        computeActual("ALTER TABLE refreshed.sales EXECUTE expire_snapshots('0s')");
        assertFreshness("refreshed.totals", "FRESH");

        for (String change : List.of("INSERT INTO refreshed.sales VALUES (4, 'c')", "DELETE FROM refreshed.sales WHERE n = 2", "UPDATE refreshed.sales SET n = 5 WHERE n = 1", "CREATE OR REPLACE TABLE refreshed.sales AS SELECT * FROM refreshed.sales")) {
            computeActual(change);
            assertFreshness("refreshed.totals", "STALE");
            String expected = "SELECT item, sum(n) FROM refreshed.sales GROUP BY item";
            assertThat(query("TABLE refreshed.totals")).matches(expected);
            computeActual("REFRESH MATERIALIZED VIEW refreshed.totals");
            assertFreshness("refreshed.totals", "FRESH");
            assertThat(query("TABLE refreshed.\"totals$storage\"")).matches(expected);
        }
        assertThat(query("SELECT operation FROM refreshed.\"totals$snapshots\" ORDER BY snapshot_id LIMIT 2")).matches("VALUES VARCHAR 'create', 'refresh'");
        computeActual("ALTER TABLE refreshed.\"totals$storage\" EXECUTE expire_snapshots('0s')");
        assertThat((long) computeScalar("SELECT count(*) FROM refreshed.\"totals$snapshots\"")).isLessThanOrEqualTo(2);
        assertThat((String) computeScalar("SHOW CREATE MATERIALIZED VIEW refreshed.totals"))
                .contains("CREATE MATERIALIZED VIEW albis.refreshed.totals", "GRACE PERIOD INTERVAL '0 0:00:00' DAY TO SECOND", "COMMENT 'all of them'", "compression = 'lz4'");

        // Without the table, nobody knows how old the rows are
        assertUpdate("DROP TABLE refreshed.sales");
        assertFreshness("refreshed.totals", "STALE");
        assertQueryFails("TABLE refreshed.totals", ".*Failed analyzing stored view.*");
        assertUpdate("DROP SCHEMA refreshed CASCADE");
    }

    /**
     * A refresh after appends reads only the new rows if the query has only filters and projections.
     */
    @Test
    void testIncrementalRefresh()
    {
        assertUpdate("CREATE SCHEMA appended");
        assertUpdate("CREATE TABLE appended.numbers AS SELECT * FROM (VALUES 1, 2, 3, 4) t (n)", 4);
        assertUpdate("CREATE MATERIALIZED VIEW appended.even AS SELECT n, n * 10 AS tens FROM appended.numbers WHERE n % 2 = 0");
        assertUpdate("CREATE MATERIALIZED VIEW appended.counted AS SELECT count(*) AS c FROM appended.numbers");
        assertRefreshed("even", 2, 2);
        assertRefreshed("counted", 1, 1);
        assertUpdate("INSERT INTO appended.numbers VALUES 5, 6", 2);
        assertRefreshed("even", 1, 3);
        assertUpdate("INSERT INTO appended.numbers VALUES 7", 1);
        assertRefreshed("even", 0, 3);
        assertFreshness("appended.even", "FRESH");
        assertRefreshed("counted", 1, 1);
        assertUpdate("INSERT INTO appended.numbers VALUES 8", 1);
        assertUpdate("INSERT INTO appended.numbers VALUES 10, 11", 2);
        assertRefreshed("even", 2, 5);

        // The refresh replaces all rows
        assertUpdate("DELETE FROM appended.numbers WHERE n = 6", 1);
        assertRefreshed("even", 4, 4);
        assertUpdate("INSERT INTO appended.numbers VALUES 12", 1);
        assertRefreshed("even", 1, 5);
        assertUpdate("UPDATE appended.numbers SET n = 14 WHERE n = 11", 1);
        assertRefreshed("even", 6, 6);
        assertUpdate("CREATE OR REPLACE TABLE appended.numbers AS SELECT n FROM appended.numbers", 10);
        assertRefreshed("even", 6, 6);
        assertUpdate("INSERT INTO appended.numbers VALUES 16", 1);
        // The version that the last refresh has read has expired
        computeActual("ALTER TABLE appended.numbers EXECUTE expire_snapshots('0s')");
        assertRefreshed("even", 7, 7);
        assertUpdate("CREATE OR REPLACE MATERIALIZED VIEW appended.even AS SELECT n, n * 100 AS tens FROM appended.numbers WHERE n % 2 = 0");
        assertUpdate("REFRESH MATERIALIZED VIEW appended.even", 7);
        assertThat(query("TABLE appended.\"even$storage\"")).matches("SELECT n, n * 100 FROM appended.numbers WHERE n % 2 = 0");
        assertUpdate("DROP SCHEMA appended CASCADE");
    }

    private void assertRefreshed(String view, int written, int rows)
    {
        assertUpdate("REFRESH MATERIALIZED VIEW appended." + view, written);
        assertThat(computeActual("TABLE appended.\"%s$storage\"".formatted(view)).getRowCount()).isEqualTo(rows);
        String query = view.equals("even") ? "SELECT n, n * 10 FROM appended.numbers WHERE n % 2 = 0" : "SELECT count(*) FROM appended.numbers";
        assertThat(query("TABLE appended.\"%s$storage\"".formatted(view))).matches(query);
    }

    /**
     * New names of columns do not change the rows of the table, but those of the query.
     */
    @Test
    void testChangedColumns()
    {
        assertUpdate("CREATE SCHEMA columns");
        assertUpdate("CREATE TABLE columns.t AS SELECT 1 AS a, 2 AS b", 1);
        assertUpdate("CREATE MATERIALIZED VIEW columns.v AS SELECT a FROM columns.t");
        assertUpdate("REFRESH MATERIALIZED VIEW columns.v", 1);
        assertUpdate("COMMENT ON COLUMN columns.t.a IS 'first'");
        assertUpdate("ALTER TABLE columns.t ALTER COLUMN a SET DEFAULT 7");
        assertFreshness("columns.v", "FRESH");
        assertUpdate("ALTER TABLE columns.t RENAME COLUMN a TO c");
        assertUpdate("ALTER TABLE columns.t RENAME COLUMN b TO a");
        assertUpdate("INSERT INTO columns.t (a, c) VALUES (3, 4)", 1);
        assertFreshness("columns.v", "STALE");
        assertUpdate("REFRESH MATERIALIZED VIEW columns.v", 2);
        assertThat(query("TABLE columns.\"v$storage\"")).matches("VALUES 2, 3");
        assertUpdate("ALTER TABLE columns.t ADD COLUMN added integer");
        assertFreshness("columns.v", "STALE");
        assertUpdate("REFRESH MATERIALIZED VIEW columns.v", 2);
        assertFreshness("columns.v", "FRESH");
        assertUpdate("DROP SCHEMA columns CASCADE");
    }

    /**
     * The commits of the INSERT statements write the manifests again, without the files of the dropped column.
     */
    @Test
    void testIncrementalRefreshAfterADroppedColumn()
    {
        assertUpdate("CREATE SCHEMA dropped");
        assertUpdate("CREATE TABLE dropped.t WITH (column_groups = ARRAY[ARRAY['a'], ARRAY['b']]) AS SELECT 1 AS a, 2 AS b", 1);
        assertUpdate("CREATE MATERIALIZED VIEW dropped.v AS SELECT a FROM dropped.t");
        assertUpdate("ALTER TABLE dropped.t DROP COLUMN b");
        assertUpdate("REFRESH MATERIALIZED VIEW dropped.v", 1);
        for (int i = 0; i < 8; i++) {
            assertUpdate("INSERT INTO dropped.t VALUES 3", 1);
        }
        assertUpdate("REFRESH MATERIALIZED VIEW dropped.v", 8);
        assertThat(query("TABLE dropped.\"v$storage\"")).matches("TABLE dropped.t");
        assertUpdate("DROP SCHEMA dropped CASCADE");
    }

    /**
     * Nobody knows whether the rows have changed that are not in this warehouse, or that depend on the time.
     */
    @Test
    void testUnknownFreshness()
    {
        assertUpdate("CREATE SCHEMA unknown");
        assertUpdate("CREATE TABLE unknown.t AS SELECT 1 AS n", 1);
        assertUpdate("CREATE TABLE memory.default.other AS SELECT 1 AS n", 1);
        assertUpdate("CREATE MATERIALIZED VIEW unknown.federated AS SELECT n FROM memory.default.other UNION ALL SELECT n FROM unknown.t");
        assertUpdate("CREATE MATERIALIZED VIEW unknown.timed AS SELECT n, current_timestamp AS at FROM unknown.t");
        assertUpdate("CREATE MATERIALIZED VIEW unknown.tagged AS SELECT n FROM unknown.t FOR VERSION AS OF 1");
        for (String view : List.of("federated", "timed", "tagged")) {
            computeActual("REFRESH MATERIALIZED VIEW unknown." + view);
            assertFreshness("unknown." + view, "UNKNOWN");
        }
        assertUpdate("INSERT INTO unknown.t VALUES 2", 1);
        assertFreshness("unknown.federated", "STALE");
        assertFreshness("unknown.tagged", "UNKNOWN");
        // A materialized view of a materialized view
        assertUpdate("CREATE MATERIALIZED VIEW unknown.first AS SELECT n FROM unknown.t");
        assertUpdate("REFRESH MATERIALIZED VIEW unknown.first", 2);
        assertUpdate("CREATE MATERIALIZED VIEW unknown.second AS SELECT sum(n) AS total FROM unknown.first");
        assertUpdate("REFRESH MATERIALIZED VIEW unknown.second", 1);
        assertFreshness("unknown.second", "FRESH");
        assertUpdate("INSERT INTO unknown.t VALUES 3", 1);
        assertUpdate("REFRESH MATERIALIZED VIEW unknown.first", 1);
        assertFreshness("unknown.second", "STALE");
        assertUpdate("DROP SCHEMA unknown CASCADE");
        assertUpdate("DROP TABLE memory.default.other");
    }

    @Test
    void testStorageChangesOnlyByRefresh()
    {
        assertUpdate("CREATE SCHEMA stored");
        assertUpdate("CREATE TABLE stored.t AS SELECT 1 AS n", 1);
        assertUpdate("CREATE MATERIALIZED VIEW stored.m AS SELECT n FROM stored.t");
        assertUpdate("REFRESH MATERIALIZED VIEW stored.m", 1);
        for (String sql : List.of(
                "INSERT INTO stored.\"m$storage\" VALUES 2",
                "DELETE FROM stored.\"m$storage\"",
                "DELETE FROM stored.\"m$storage\" WHERE n = 1",
                "UPDATE stored.\"m$storage\" SET n = 2",
                "TRUNCATE TABLE stored.\"m$storage\"",
                "DROP TABLE stored.\"m$storage\"",
                "ALTER TABLE stored.\"m$storage\" RENAME TO stored.u",
                "ALTER TABLE stored.\"m$storage\" SET PROPERTIES compression = 'lz4'",
                "COMMENT ON TABLE stored.\"m$storage\" IS 'x'")) {
            assertTrinoExceptionThrownBy(() -> computeActual(sql)).as(sql)
                    .hasErrorCode(NOT_SUPPORTED)
                    .hasMessage("The rows of a materialized view change only by REFRESH MATERIALIZED VIEW and DROP MATERIALIZED VIEW, so table 'stored.m$storage' cannot be changed");
        }
        assertTrinoExceptionThrownBy(() -> computeActual("ALTER TABLE stored.\"m$storage\" EXECUTE rollback_to_snapshot(1)"))
                .hasErrorCode(NOT_SUPPORTED)
                .hasMessageStartingWith("The rows of a materialized view change only by REFRESH MATERIALIZED VIEW, so the procedure");
        for (String sql : List.of("CREATE TABLE stored.m (n integer)", "CREATE OR REPLACE TABLE stored.m AS SELECT 1 AS n", "CREATE TABLE IF NOT EXISTS stored.m (n integer)", "CREATE OR REPLACE TABLE stored.m (n integer)")) {
            assertTrinoExceptionThrownBy(() -> computeActual(sql)).as(sql).hasErrorCode(TABLE_ALREADY_EXISTS).hasMessage("Materialized view 'stored.m' already exists");
        }
        assertTrinoExceptionThrownBy(() -> computeActual("CREATE OR REPLACE MATERIALIZED VIEW stored.t AS SELECT 1 AS n")).hasErrorCode(ALREADY_EXISTS);
        assertUpdate("CREATE VIEW stored.v AS SELECT 1 AS n");
        assertTrinoExceptionThrownBy(() -> computeActual("CREATE OR REPLACE MATERIALIZED VIEW stored.v AS SELECT 1 AS n")).hasErrorCode(ALREADY_EXISTS);
        assertUpdate("CREATE MATERIALIZED VIEW IF NOT EXISTS stored.m AS SELECT 2 AS n");
        assertQueryFails("DROP SCHEMA stored", ".*Cannot drop non-empty schema 'stored'");
        assertThat(query("TABLE stored.m")).matches("VALUES 1");
        assertThat(query("SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'stored'"))
                .matches("VALUES (VARCHAR 't', VARCHAR 'BASE TABLE'), ('m', 'BASE TABLE'), ('v', 'VIEW')");
        assertThat(query("SELECT name FROM system.metadata.materialized_views WHERE catalog_name = 'albis' AND schema_name = 'stored'")).matches("VALUES VARCHAR 'm'");

        assertUpdate("COMMENT ON COLUMN stored.m.n IS 'a number'");
        assertUpdate("ALTER MATERIALIZED VIEW stored.m SET PROPERTIES row_group_rows = 10");
        assertUpdate("ALTER MATERIALIZED VIEW stored.m RENAME TO stored.renamed");
        assertThat(query("SELECT table_name, column_name, comment FROM information_schema.columns WHERE table_schema = 'stored' AND table_name = 'renamed'"))
                .matches("VALUES (VARCHAR 'renamed', VARCHAR 'n', VARCHAR 'a number')");
        assertThat((String) computeScalar("SHOW CREATE MATERIALIZED VIEW stored.renamed")).contains("row_group_rows = 10");
        assertFreshness("stored.renamed", "FRESH");
        assertThat(query("TABLE stored.renamed")).matches("VALUES 1");
        assertUpdate("DROP MATERIALIZED VIEW stored.renamed");
        assertUpdate("DROP SCHEMA stored CASCADE");
    }

    /**
     * Refreshes, replacements, and inserts at the same time: the rows are always those of some state of the table.
     */
    @Test
    @Timeout(300)
    void testConcurrentStatements()
            throws Exception
    {
        assertUpdate("CREATE SCHEMA raced");
        assertUpdate("CREATE TABLE raced.t AS SELECT 1 AS n", 1);
        assertUpdate("CREATE MATERIALIZED VIEW raced.m AS SELECT n FROM raced.t");
        ConcurrentStatements.run(getQueryRunner(), List.of("REFRESH MATERIALIZED VIEW raced.m", "REFRESH MATERIALIZED VIEW raced.m", "INSERT INTO raced.t VALUES 1", "SELECT count(*) FROM raced.\"m$storage\""), 15, "Another transaction has refreshed the materialized view .* Retry the statement");
        computeActual("REFRESH MATERIALIZED VIEW raced.m");
        assertThat(query("SELECT count(*) FROM raced.\"m$storage\"")).matches("VALUES BIGINT '16'");
        assertFreshness("raced.m", "FRESH");
        assertUpdate("DROP SCHEMA raced CASCADE");
    }

    /**
     * A refresh is the only statement of its transaction, so the rows that it omits are not missing elsewhere.
     */
    @Test
    void testTransaction()
    {
        assertUpdate("CREATE SCHEMA transactions");
        assertUpdate("CREATE TABLE transactions.t AS SELECT 1 AS n", 1);
        assertUpdate("CREATE MATERIALIZED VIEW transactions.m AS SELECT n FROM transactions.t");
        for (String sql : List.of("REFRESH MATERIALIZED VIEW transactions.m", "INSERT INTO transactions.t VALUES 2", "CREATE VIEW transactions.v AS SELECT 1 AS n")) {
            assertThatThrownBy(() -> newTransaction().execute(getSession(), session -> {
                getQueryRunner().execute(session, sql);
            })).as(sql)
                    .hasMessageContaining("Catalog only supports writes using autocommit");
        }
        assertUpdate("DROP SCHEMA transactions CASCADE");
    }

    @Test
    void testFixedProperties()
    {
        assertUpdate("CREATE SCHEMA fixed");
        assertUpdate("CREATE MATERIALIZED VIEW fixed.m AS SELECT 1 AS n");
        assertTrinoExceptionThrownBy(() -> computeActual("ALTER MATERIALIZED VIEW fixed.m SET PROPERTIES layout = 'row'"))
                .hasErrorCode(NOT_SUPPORTED)
                .hasMessageStartingWith("The following properties of a materialized view cannot be changed: layout.")
                .hasMessageEndingWith("CREATE OR REPLACE MATERIALIZED VIEW replaces the columns, rows, and properties of a materialized view");
        assertUpdate("DROP SCHEMA fixed CASCADE");
    }

    /**
     * A materialized view that cannot be loaded is dropped as a table is.
     */
    @Test
    void testDamage()
            throws IOException
    {
        assertUpdate("CREATE SCHEMA damaged");
        assertUpdate("CREATE MATERIALIZED VIEW damaged.m AS SELECT 1 AS n");
        try (Stream<Path> files = Files.walk(warehouse.resolve("damaged"))) {
            Path version = files.filter(path -> path.getParent().endsWith("versions") && path.toString().endsWith(".json")).findFirst().orElseThrow();
            Files.write(version, new byte[1]);
        }
        assertTrinoExceptionThrownBy(() -> computeActual("TABLE damaged.m")).hasErrorCode(ALBIS_BAD_DATA);
        assertThat(query("SHOW TABLES FROM damaged")).matches("VALUES VARCHAR 'm'");
        assertUpdate("DROP TABLE damaged.m");
        assertUpdate("DROP SCHEMA damaged");
    }

    private void assertFreshness(String view, String freshness)
    {
        String[] name = view.split("\\.");
        assertThat(computeScalar("SELECT freshness FROM system.metadata.materialized_views WHERE catalog_name = 'albis' AND schema_name = '%s' AND name = '%s'".formatted(name[0], name[1])))
                .as(view)
                .isEqualTo(freshness);
    }
}
