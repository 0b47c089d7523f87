package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ScanStatistics;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table property partitioned_by, and the system table "$partitions".
 */
final class TestAlbisPartitionedTables
        extends AbstractTestQueryFramework
{
    private static final String ROWS = "SELECT n id, IF(mod(n, 4) = 0, NULL, 'r' || CAST(mod(n, 4) AS varchar)) region, TIMESTAMP '1969-12-30 12:00:00.000' + n * INTERVAL '1' HOUR ts FROM UNNEST(sequence(1, 100)) t (n)";
    // the bounds of the first two columns do not tell the values of a row group
    private static final String INEXACT = "SELECT rpad('https://', 80, 'x') || CAST(mod(id, 3) AS varchar) url, element_at(ARRAY[1e0, -0e0, nan()], CAST(mod(id, 3) AS integer) + 1) x, id FROM UNNEST(sequence(BIGINT '1', BIGINT '99')) t (id)";

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(ImmutableList.of())
                .build();
    }

    @Test
    void testPartitions()
    {
        try (TestTable table = newTrinoTable("regions", "WITH (partitioned_by = ARRAY['region', 'DAY(ts)']) AS " + ROWS)) {
            String name = table.getName();
            assertThat((String) computeScalar("SHOW CREATE TABLE " + name)).contains("partitioned_by = ARRAY['region','day(ts)']");
            assertQuery("SELECT value FROM \"%s$properties\" WHERE key = 'partitioned_by'".formatted(name), "VALUES 'region, day(ts)'");
            String expected = "SELECT region, CAST(ts AS date), count(*) FROM %s GROUP BY 1, 2".formatted(name);
            String partitions = "SELECT partition.region, partition.ts_day, record_count FROM \"%s$partitions\"".formatted(name);
            assertThat(query(partitions)).matches(expected);
            assertThat(query("SELECT DISTINCT file_count FROM \"%s$partitions\"".formatted(name))).matches("VALUES BIGINT '1'");
            assertThat(query("SELECT sum(total_size), sum(file_count) FROM \"%s$partitions\"".formatted(name))).matches("SELECT CAST(sum(file_size_in_bytes) AS bigint), count(*) FROM \"%s$files\"".formatted(name));
            assertThat(query("SELECT partition.region, partition.ts_day, data.id.min, data.id.max, data.id.null_count, data.ts.min FROM \"%s$partitions\"".formatted(name)))
                    .matches("SELECT region, CAST(ts AS date), min(id), max(id), BIGINT '0', min(ts) FROM %s GROUP BY 1, 2".formatted(name));
            assertThat(query("SELECT partition.region, partition.ts_day, CAST(sum(record_count) AS bigint) FROM \"%s$files\" GROUP BY 1, 2".formatted(name))).matches(expected);
            // a second load adds row groups to the partitions
            assertUpdate("INSERT INTO %s %s".formatted(name, ROWS), 100);
            assertThat(query(partitions)).matches(expected);
            assertThat(query("SELECT DISTINCT file_count FROM \"%s$partitions\"".formatted(name))).matches("VALUES BIGINT '2'");
            assertUpdate("DELETE FROM %s WHERE id = 7".formatted(name), 2);
            assertThat(query(partitions)).matches(expected);
            // optimize leaves one row group for each partition, and finds nothing to do afterwards
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(name));
            assertThat(query("SELECT DISTINCT file_count FROM \"%s$partitions\"".formatted(name))).matches("VALUES BIGINT '1'");
            assertThat(query(partitions)).matches(expected);
            Object version = computeScalar("SELECT count(*) FROM \"%s$files\" WHERE added_snapshot_id = (SELECT max(snapshot_id) FROM \"%s$snapshots\")".formatted(name, name));
            assertThat((long) version).isPositive();
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(name));
            assertThat(query("SELECT count(DISTINCT added_snapshot_id) FROM \"%s$files\"".formatted(name))).matches("VALUES BIGINT '1'");
        }
    }

    @Test
    void testUnpartitionedTable()
    {
        try (TestTable table = newTrinoTable("unpartitioned", "WITH (partitioned_by = ARRAY[]) AS SELECT 1 a, ARRAY[1] b")) {
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).doesNotContain("partitioned_by");
            assertThat(query("SELECT record_count, file_count, data.a.max FROM \"%s$partitions\"".formatted(table.getName()))).matches("VALUES (BIGINT '1', BIGINT '1', 1)");
            assertThat(computeActual("SELECT * FROM \"%s$files\"".formatted(table.getName())).getColumnNames()).doesNotContain("partition").contains("manifest_location");
        }
    }

    @Test
    void testDeletes()
    {
        try (TestTable table = newTrinoTable("deletes", "WITH (partitioned_by = ARRAY['region', 'month(ts)', 'truncate(id, 50)']) AS " + ROWS)) {
            String name = table.getName();
            for (String predicate : ImmutableList.of("region = 'r1'", "region IS NULL", "ts >= TIMESTAMP '1970-01-01 00:00:00' AND id < 50", "year(ts) < 1970", "id >= 100")) {
                assertThat((String) computeScalar("EXPLAIN DELETE FROM %s WHERE %s".formatted(name, predicate)))
                        .as(predicate)
                        .doesNotContain("TableScan");
            }
            assertUpdate("DELETE FROM %s WHERE region = 'r1'".formatted(name), 25);
            assertUpdate("DELETE FROM %s WHERE year(ts) < 1970".formatted(name), 26);
            assertThat(query("SELECT count(*), sum(id) FROM " + name)).matches("SELECT count(*), sum(id) FROM (%s) WHERE year(ts) >= 1970 AND region IS DISTINCT FROM 'r1'".formatted(ROWS));
            assertThat(query("SELECT sum(file_size_in_bytes) > 0, sum(deleted_record_count) FROM \"%s$files\"".formatted(name))).matches("VALUES (true, BIGINT '0')");
        }
    }

    /**
     * The bounds of long texts are not exact, and those of numbers do not tell whether a row is NaN.
     */
    @Test
    void testDeletesOfInexactBounds()
    {
        for (String column : ImmutableList.of("url", "x")) {
            try (TestTable table = newTrinoTable("inexact", "WITH (partitioned_by = ARRAY['%s']) AS %s".formatted(column, INEXACT))) {
                String name = table.getName();
                String predicate = column.equals("x") ? "x IN (1e0, 0e0)" : "url = rpad('https://', 80, 'x') || '2'";
                assertThat((String) computeScalar("EXPLAIN DELETE FROM %s WHERE %s".formatted(name, predicate))).doesNotContain("TableScan");
                assertUpdate("DELETE FROM %s WHERE %s".formatted(name, predicate), column.equals("x") ? 66 : 33);
                assertThat(query("TABLE " + name)).matches("SELECT * FROM (%s) WHERE NOT (%s)".formatted(INEXACT, predicate));
                assertThat((String) computeScalar("EXPLAIN DELETE FROM %s WHERE %s AND id > 50".formatted(name, predicate))).doesNotContain("TableScan");
            }
        }
    }

    /**
     * The partition of a row group decides about ranges, too.
     */
    @Test
    void testRangesOfInexactBounds()
    {
        for (String column : ImmutableList.of("url", "x")) {
            try (TestTable table = newTrinoTable("inexact", "WITH (partitioned_by = ARRAY['%s']) AS %s".formatted(column, INEXACT))) {
                String name = table.getName();
                String predicate = column.equals("x") ? "x > -5e-1" : "url > rpad('https://', 80, 'x') || '0a'";
                assertThat(selectedRowGroups("SELECT id FROM %s WHERE %s".formatted(name, predicate))).isEqualTo(2);
                assertThat((String) computeScalar("EXPLAIN DELETE FROM %s WHERE %s".formatted(name, predicate))).doesNotContain("TableScan");
                assertUpdate("DELETE FROM %s WHERE %s".formatted(name, predicate), 66);
                assertThat(query("TABLE " + name)).matches("SELECT * FROM (%s) WHERE NOT (%s)".formatted(INEXACT, predicate));
            }
        }
    }

    @Test
    void testAlternatives()
    {
        try (TestTable table = newTrinoTable("alternatives", "WITH (partitioned_by = ARRAY['url']) AS " + INEXACT)) {
            // the partition of a row group excludes one alternative, and its bounds exclude the other
            String query = "SELECT x FROM %s WHERE (url = rpad('https://', 80, 'x') || '0' AND id = 1) OR (url = rpad('https://', 80, 'x') || '1' AND id = 99)".formatted(table.getName());
            assertThat((String) computeScalar("EXPLAIN " + query)).contains("alternatives on");
            assertThat(query(query)).returnsEmptyResult();
            assertThat(selectedRowGroups(query)).isEqualTo(0);
        }
    }

    @Test
    void testLimit()
    {
        try (TestTable table = newTrinoTable("limited", "WITH (partitioned_by = ARRAY['url']) AS " + INEXACT)) {
            String name = table.getName();
            assertUpdate("INSERT INTO %s %s".formatted(name, INEXACT), 99);
            // all rows of the first row group of the partition match
            assertThat(selectedRowGroups("SELECT id FROM %s WHERE url = rpad('https://', 80, 'x') || '1' LIMIT 33".formatted(name))).isEqualTo(1);
            assertThat(selectedRowGroups("SELECT id FROM %s WHERE url = rpad('https://', 80, 'x') || '1' LIMIT 34".formatted(name))).isEqualTo(2);
        }
    }

    /**
     * A procedure with a predicate on a partition writes no others.
     */
    @Test
    void testOptimizeOfPartition()
    {
        try (TestTable table = newTrinoTable("optimized", "WITH (partitioned_by = ARRAY['url']) AS " + INEXACT)) {
            String name = table.getName();
            assertUpdate("INSERT INTO %s %s".formatted(name, INEXACT), 99);
            computeActual("ALTER TABLE %s EXECUTE optimize WHERE url = rpad('https://', 80, 'x') || '1'".formatted(name));
            assertThat(query("SELECT substr(partition.url, 81), file_count FROM \"%s$partitions\"".formatted(name))).matches("VALUES (VARCHAR '0', BIGINT '2'), ('1', 1), ('2', 2)");
            computeActual("ALTER TABLE %s EXECUTE add_index(columns => ARRAY['id']) WHERE url = rpad('https://', 80, 'x') || '2'".formatted(name));
            assertThat(query("SELECT substr(partition.url, 81), count(*) FROM \"%s$files\" WHERE contains(indexed_columns, 'id') GROUP BY 1".formatted(name))).matches("VALUES (VARCHAR '2', BIGINT '2')");
        }
    }

    @Test
    void testPruning()
    {
        try (TestTable table = newTrinoTable("buckets", "WITH (partitioned_by = ARRAY['bucket(id, 16)']) AS SELECT orderkey id, totalprice FROM tpch.tiny.orders")) {
            String name = table.getName();
            assertThat(selectedRowGroups("SELECT totalprice FROM %s WHERE id >= 0".formatted(name))).isEqualTo(16);
            assertThat(selectedRowGroups("SELECT totalprice FROM %s WHERE id = 7".formatted(name))).isEqualTo(1);
            assertThat(selectedRowGroups("SELECT totalprice FROM %s WHERE id IN (7, 32, 33, 8)".formatted(name))).isBetween(1L, 4L);
            assertThat(query("SELECT id FROM %s WHERE id IN (7, 32, 33, 8)".formatted(name))).matches("SELECT orderkey FROM tpch.tiny.orders WHERE orderkey IN (7, 32, 33, 8)");
            // dynamic filters
            assertThat(selectedRowGroups("SELECT totalprice FROM %s JOIN (VALUES BIGINT '7', 32) t (k) ON id = k".formatted(name))).isBetween(1L, 2L);
        }
    }

    private long selectedRowGroups(String query)
    {
        DistributedQueryRunner queryRunner = getDistributedQueryRunner();
        return ScanStatistics.of(queryRunner, queryRunner.executeWithPlan(getSession(), query).queryId()).split("Albis row groups selected");
    }

    @Test
    void testUpdatesMoveRows()
    {
        try (TestTable table = newTrinoTable("moves", "WITH (partitioned_by = ARRAY['region']) AS " + ROWS)) {
            String name = table.getName();
            assertUpdate("UPDATE %s SET region = 'r2' WHERE region = 'r1'".formatted(name), 25);
            assertUpdate("UPDATE %s SET ts = ts + INTERVAL '1' DAY".formatted(name), 100);
            assertUpdate("MERGE INTO %s t USING (VALUES 1, 1000, 2000) s (id) ON t.id = s.id WHEN MATCHED THEN UPDATE SET region = 'new' WHEN NOT MATCHED THEN INSERT VALUES (s.id, 'r' || CAST(s.id AS varchar), NULL)".formatted(name), 3);
            assertThat(query("SELECT partition.region, sum(record_count) FROM \"%s$partitions\" GROUP BY 1 HAVING sum(record_count) > 0".formatted(name)))
                    .matches("SELECT region, CAST(count(*) AS bigint) FROM %s GROUP BY 1".formatted(name));
            assertThat(query("SELECT count(*) FROM (SELECT \"$row_group\" FROM %s GROUP BY 1 HAVING count(DISTINCT coalesce(region, '')) > 1)".formatted(name))).matches("VALUES BIGINT '0'");
        }
    }

    /**
     * An update in place also writes the column of the partition again if little else would remain in its column group.
     */
    @Test
    void testUpdatesInPlace()
    {
        String rows = "SELECT n id, 'r' || CAST(mod(n, 4) AS varchar) region, CAST(uuid() AS varchar) text FROM UNNEST(sequence(1, 4000)) t (n)";
        try (TestTable table = newTrinoTable("in_place", "WITH (partitioned_by = ARRAY['region', 'bucket(id, 2)'], column_groups = ARRAY[ARRAY['region', 'text'], ARRAY['id']]) AS " + rows)) {
            String name = table.getName();
            String expected = "SELECT region, count(*) FROM %s GROUP BY 1".formatted(name);
            String partitions = "SELECT partition.region, CAST(sum(record_count) AS bigint) FROM \"%s$partitions\" WHERE partition IS NOT NULL GROUP BY 1".formatted(name);
            assertUpdate("UPDATE %s SET text = reverse(text)".formatted(name), 4000);
            assertThat(query("SELECT DISTINCT added_snapshot_id FROM \"%s$files\"".formatted(name))).matches("VALUES BIGINT '1'");
            assertThat(query(partitions)).matches(expected);
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(name));
            assertThat(query("SELECT DISTINCT added_snapshot_id FROM \"%s$files\"".formatted(name))).matches("VALUES BIGINT '1'");
            // rows whose partition changes while it is not in the property
            assertUpdate("ALTER TABLE %s SET PROPERTIES partitioned_by = ARRAY['bucket(id, 2)']".formatted(name));
            assertUpdate("UPDATE %s SET region = region || CAST(mod(id, 3) AS varchar)".formatted(name), 4000);
            assertThat(query("SELECT DISTINCT added_snapshot_id FROM \"%s$files\"".formatted(name))).matches("VALUES BIGINT '1'");
            assertUpdate("ALTER TABLE %s SET PROPERTIES partitioned_by = ARRAY['region', 'bucket(id, 2)']".formatted(name));
            assertThat(query("SELECT count(*) FROM \"%s$partitions\" WHERE partition IS NOT NULL".formatted(name))).matches("VALUES BIGINT '0'");
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(name));
            assertThat(query(partitions)).matches(expected);
        }
    }

    /**
     * The engine passes a column once, even if several functions need it.
     */
    @Test
    void testFunctionsOfOneColumn()
    {
        try (TestTable table = newTrinoTable("functions", "WITH (partitioned_by = ARRAY['month(ts)', 'region', 'day(ts)', 'hour(ts)']) AS " + ROWS)) {
            String name = table.getName();
            assertUpdate("INSERT INTO %s %s".formatted(name, ROWS), 100);
            assertUpdate("MERGE INTO %s t USING (%s) s ON t.id = s.id AND s.id < 10 WHEN MATCHED THEN UPDATE SET ts = s.ts - INTERVAL '1' DAY WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.region, s.ts)".formatted(name, ROWS), 18 + 91);
            assertThat(query("SELECT partition.ts_month, partition.region, partition.ts_day, partition.ts_hour, sum(record_count) FROM \"%s$partitions\" GROUP BY 1, 2, 3, 4 HAVING sum(record_count) > 0".formatted(name)))
                    .matches("SELECT CAST((year(ts) - 1970) * 12 + month(ts) - 1 AS integer), region, CAST(ts AS date), CAST(date_diff('hour', TIMESTAMP '1970-01-01 00:00:00', ts) AS integer), count(*) FROM %s GROUP BY 1, 2, 3, 4".formatted(name));
        }
    }

    @Test
    void testRegroup()
    {
        try (TestTable table = newTrinoTable("regroup", "WITH (partitioned_by = ARRAY['region', 'month(ts)'], column_groups = ARRAY[ARRAY['id'], ARRAY['region', 'ts']]) AS " + ROWS)) {
            String name = table.getName();
            computeActual("ALTER TABLE %s EXECUTE regroup(column_groups => ARRAY[ARRAY['id', 'region'], ARRAY['ts']])".formatted(name));
            assertThat(query("SELECT operation FROM \"%s$snapshots\" ORDER BY snapshot_id DESC LIMIT 1".formatted(name))).matches("VALUES VARCHAR 'regroup'");
            // the row groups have the same rows, and so the same partitions
            assertThat(query("SELECT partition.region, partition.ts_month, record_count FROM \"%s$partitions\"".formatted(name)))
                    .matches("SELECT region, CAST((year(ts) - 1970) * 12 + month(ts) - 1 AS integer), count(*) FROM %s GROUP BY 1, 2".formatted(name));
            assertThat((String) computeScalar("EXPLAIN DELETE FROM %s WHERE region = 'r1'".formatted(name))).doesNotContain("TableScan");
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(name));
            assertThat(query("SELECT operation FROM \"%s$snapshots\" ORDER BY snapshot_id DESC LIMIT 1".formatted(name))).matches("VALUES VARCHAR 'regroup'");
        }
    }

    @Test
    void testChangedProperty()
    {
        try (TestTable table = newTrinoTable("changed", "WITH (sorted_by = ARRAY['id DESC']) AS " + ROWS)) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %s SET PROPERTIES partitioned_by = ARRAY['bucket(id, 4)']".formatted(name));
            assertUpdate("INSERT INTO %s %s".formatted(name, ROWS), 100);
            assertThat(query("SELECT count(*), count(partition), sum(record_count) FROM \"%s$partitions\"".formatted(name))).matches("VALUES (BIGINT '5', BIGINT '4', BIGINT '200')");
            // rows that were not partitioned are now
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(name));
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(name));
            assertThat(query("SELECT count(*), count(partition), sum(record_count), sum(file_count) FROM \"%s$partitions\"".formatted(name))).matches("VALUES (BIGINT '4', BIGINT '4', BIGINT '200', BIGINT '4')");
            assertUpdate("ALTER TABLE %s RENAME COLUMN id TO \"the id\"".formatted(name));
            assertThat((String) computeScalar("SHOW CREATE TABLE " + name)).contains("partitioned_by = ARRAY['bucket(\"the id\", 4)']");
            assertThat(query("SELECT sum(partition.\"the id_bucket\") FROM \"%s$partitions\"".formatted(name))).matches("VALUES BIGINT '6'");
            assertUpdate("CREATE TABLE %1$s_like (LIKE %1$s INCLUDING PROPERTIES)".formatted(name));
            assertThat((String) computeScalar("SHOW CREATE TABLE %s_like".formatted(name))).contains("partitioned_by = ARRAY['bucket(\"the id\", 4)']");
            assertUpdate("DROP TABLE %s_like".formatted(name));
            assertUpdate("ALTER TABLE %s SET PROPERTIES partitioned_by = ARRAY['region']".formatted(name));
            assertQueryFails("ALTER TABLE %s DROP COLUMN region".formatted(name), "Column 'region' cannot be dropped, because new rows are partitioned by it. Change the table property partitioned_by first");
            assertUpdate("ALTER TABLE %s SET PROPERTIES partitioned_by = DEFAULT".formatted(name));
            assertUpdate("ALTER TABLE %s SET PROPERTIES sorted_by = DEFAULT".formatted(name));
            assertUpdate("ALTER TABLE %s DROP COLUMN \"the id\"".formatted(name));
            assertUpdate("ALTER TABLE %s DROP COLUMN region".formatted(name));
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(name));
            assertThat(query("SELECT record_count, file_count FROM \"%s$partitions\"".formatted(name))).matches("VALUES (BIGINT '200', BIGINT '1')");
        }
    }

    @Test
    void testWidenedColumn()
    {
        try (TestTable table = newTrinoTable("widened", "WITH (partitioned_by = ARRAY['a', 'truncate(b, 10)', 'bucket(c, 8)']) AS SELECT CAST(mod(n, 3) AS tinyint) a, n b, CAST(n AS decimal(5, 2)) c FROM UNNEST(sequence(-20, 20)) t (n)")) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %s ALTER COLUMN a SET DATA TYPE bigint".formatted(name));
            assertUpdate("ALTER TABLE %s ALTER COLUMN c SET DATA TYPE decimal(30, 2)".formatted(name));
            assertUpdate("INSERT INTO %1$s TABLE %1$s".formatted(name), 41);
            assertThat(query("SELECT count(*) FROM \"%s$partitions\" WHERE file_count <> 2 OR mod(record_count, 2) <> 0".formatted(name))).matches("VALUES BIGINT '0'");
            assertThat(query("SELECT partition.a, sum(record_count) FROM \"%s$partitions\" GROUP BY 1".formatted(name))).matches("SELECT a, CAST(count(*) AS bigint) FROM %s GROUP BY 1".formatted(name));
        }
    }

    @Test
    @Tag("slow")
    void testManyPartitions()
    {
        Session small = Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, "partition_buffer_size", "100kB")
                .build();
        for (Session session : ImmutableList.of(getSession(), small)) {
            try (TestTable table = newTrinoTable("many", "(id bigint, part bigint) WITH (partitioned_by = ARRAY['part'])")) {
                String name = table.getName();
                assertUpdate(session, "INSERT INTO %s SELECT n, mod(n * 7919, 500) FROM UNNEST(sequence(1, 10000)) t (n)".formatted(name), 10000);
                assertThat(query("SELECT count(*), min(record_count), max(record_count) FROM \"%s$partitions\"".formatted(name))).matches("VALUES (BIGINT '500', BIGINT '20', BIGINT '20')");
                assertThat(query("SELECT sum(id), count(DISTINCT id), count(DISTINCT part) FROM " + name)).matches("VALUES (BIGINT '50005000', BIGINT '10000', BIGINT '500')");
                assertThat(query("SELECT count(*) FROM (SELECT \"$row_group\" FROM %s GROUP BY 1 HAVING count(DISTINCT part) > 1)".formatted(name))).matches("VALUES BIGINT '0'");
            }
        }
    }

    @Test
    void testReplaceAndRollback()
    {
        try (TestTable table = newTrinoTable("replaced", "(x bigint, region varchar) WITH (partitioned_by = ARRAY['region'])")) {
            String name = table.getName();
            // the columns have other ids afterwards
            assertUpdate("CREATE OR REPLACE TABLE %s WITH (partitioned_by = ARRAY['region']) AS %s".formatted(name, ROWS), 100);
            assertThat(query("SELECT partition.region, record_count FROM \"%s$partitions\"".formatted(name))).matches("SELECT region, count(*) FROM %s GROUP BY 1".formatted(name));
            assertUpdate("ALTER TABLE %s SET PROPERTIES partitioned_by = DEFAULT".formatted(name));
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(2)".formatted(name));
            assertThat((String) computeScalar("SHOW CREATE TABLE " + name)).contains("partitioned_by = ARRAY['region']");
            assertUpdate("INSERT INTO %s %s".formatted(name, ROWS), 100);
            assertThat(query("SELECT partition.region, record_count FROM \"%s$partitions\"".formatted(name))).matches("SELECT region, count(*) FROM %s GROUP BY 1".formatted(name));
        }
    }

    @Test
    void testMaterializedView()
    {
        try (TestTable table = newTrinoTable("base", "AS " + ROWS)) {
            String view = table.getName() + "_view";
            assertUpdate("CREATE MATERIALIZED VIEW %s WITH (partitioned_by = ARRAY['region']) AS SELECT * FROM %s".formatted(view, table.getName()));
            assertUpdate("REFRESH MATERIALIZED VIEW " + view, 100);
            assertThat(query("SELECT count(*) FROM (SELECT \"$row_group\" FROM \"%s$storage\" GROUP BY 1)".formatted(view))).matches("VALUES BIGINT '4'");
            assertUpdate("DROP MATERIALIZED VIEW " + view);
        }
    }

    /**
     * Each function has a name in "$partitions". A new name of a column must not make two of them equal.
     */
    @Test
    void testEqualNames()
    {
        try (TestTable table = newTrinoTable("names", "(d date, x integer, y integer) WITH (partitioned_by = ARRAY['year(d)', 'x'])")) {
            String name = table.getName();
            String message = "partitioned_by contains 'year(%s)' and '%s', and both have the name '%s' in \"$partitions\"";
            assertQueryFails("ALTER TABLE %s RENAME COLUMN x TO d_year".formatted(name), message.formatted("d", "d_year", "d_year").replace("(", "\\(").replace(")", "\\)").replace("$", "\\$"));
            assertUpdate("ALTER TABLE %s RENAME COLUMN x TO z_year".formatted(name));
            assertQueryFails("ALTER TABLE %s RENAME COLUMN d TO z".formatted(name), message.formatted("z", "z_year", "z_year").replace("(", "\\(").replace(")", "\\)").replace("$", "\\$"));
            // rows are not partitioned by it
            assertUpdate("ALTER TABLE %s RENAME COLUMN y TO d_year".formatted(name));
            assertThat((String) computeScalar("SHOW CREATE TABLE " + name)).contains("partitioned_by = ARRAY['year(d)','z_year']");
            assertQueryFails("ALTER TABLE %s SET PROPERTIES partitioned_by = ARRAY['year(d)', 'd_year']".formatted(name), message.formatted("d", "d_year", "d_year").replace("(", "\\(").replace(")", "\\)").replace("$", "\\$"));
        }
    }

    @Test
    void testInvalidProperties()
    {
        String forms = "Each element must be <column>, year(<column>), month(<column>), day(<column>), hour(<column>), bucket(<column>, <number of buckets>), or truncate(<column>, <width>)";
        assertInvalid("ARRAY['x']", "partitioned_by names column 'x', which the table does not have; its columns are: a, b, j, r, d");
        assertInvalid("ARRAY['day(x)']", "partitioned_by names column 'x', which the table does not have; its columns are: a, b, j, r, d");
        assertInvalid("ARRAY['a', 'A']", "partitioned_by contains the function identity of column 'a' twice");
        assertInvalid("ARRAY['bucket(a, 2)', 'bucket(a, 3)']", "partitioned_by contains the function bucket of column 'a' twice");
        assertInvalid("ARRAY['a DESC']", "partitioned_by contains 'a DESC'. " + forms);
        assertInvalid("ARRAY['']", "partitioned_by contains ''. " + forms);
        assertInvalid("ARRAY['void(a)']", "partitioned_by contains 'void(a)', which has an unknown function. " + forms);
        assertInvalid("ARRAY['identity(a)']", "partitioned_by contains 'identity(a)', which has an unknown function. " + forms);
        assertInvalid("ARRAY['bucket(a)']", "partitioned_by contains 'bucket(a)', which has no number. " + forms);
        assertInvalid("ARRAY['day(d, 5)']", "partitioned_by contains 'day(d, 5)', which has a number. " + forms);
        assertInvalid("ARRAY['bucket(a, 0)']", "partitioned_by contains 'bucket(a, 0)', whose number must be between 1 and 2147483647");
        assertInvalid("ARRAY['truncate(a, 99999999999)']", "partitioned_by contains 'truncate(a, 99999999999)', whose number must be between 1 and 2147483647");
        assertInvalid("ARRAY['day(a)']", "partitioned_by contains 'day(a)', but column 'a' has type bigint. The functions of this type are: the column itself, bucket, truncate");
        assertInvalid("ARRAY['hour(d)']", "partitioned_by contains 'hour(d)', but column 'd' has type date. The functions of this type are: the column itself, year, month, day, bucket");
        assertInvalid("ARRAY['j']", "partitioned_by contains 'j', but column 'j' has type json. Rows cannot be partitioned by a column of this type");
        assertInvalid("ARRAY['r']", "partitioned_by contains 'r', but column 'r' has type row(\"n\" bigint). Rows cannot be partitioned by a column of this type");
        assertInvalid("ARRAY[NULL]", "line 1:94: Unable to set catalog 'albis' table property 'partitioned_by' to [ARRAY[null]]: partitioned_by contains NULL; each element must name a column, or a function of a column");
        assertInvalid("ARRAY['bucket(" + "x".repeat(20_000) + "']", "partitioned_by contains 'bucket(" + "x".repeat(20_000) + "'. " + forms);
        try (TestTable table = newTrinoTable("long_values", "(a varchar) WITH (partitioned_by = ARRAY['a'])")) {
            assertQueryFails(
                    "INSERT INTO %s SELECT array_join(repeat('x', 1025), '')".formatted(table.getName()),
                    "Rows cannot be partitioned by a value of 1025 bytes, because the values of a partition can have at most 1024 bytes. Use the function truncate or bucket in the table property partitioned_by");
        }
    }

    private void assertInvalid(String partitionedBy, String message)
    {
        assertTrinoExceptionThrownBy(() -> computeActual("CREATE TABLE invalid_partitions (a bigint, b varchar, j json, r row(n bigint), d date) WITH (partitioned_by = %s)".formatted(partitionedBy)))
                .hasErrorCode(INVALID_TABLE_PROPERTY)
                .hasMessage(message);
    }
}
