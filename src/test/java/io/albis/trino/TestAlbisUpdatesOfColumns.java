package io.albis.trino;

import com.google.common.collect.Sets;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import io.trino.tpch.TpchTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * UPDATE and MERGE write only the columns that they change, if the table has one column group of all columns, the
 * default.
 */
final class TestAlbisUpdatesOfColumns
        extends AbstractTestQueryFramework
{
    private static final int ROW_GROUPS = 15;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .addAlbisProperty("albis.expire-snapshots.min-retention", "0s")
                .setInitialTables(List.of(TpchTable.ORDERS))
                .build();
    }

    /**
     * An UPDATE of one of 16 columns of 30 % of the rows writes at least three times fewer bytes than new rows take.
     */
    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testWrittenBytes(String layout)
            throws IOException
    {
        String properties = "WITH (layout = '%s', row_group_rows = 5000) AS SELECT * FROM tpch.tiny.lineitem WHERE orderkey < 15000".formatted(layout);
        Session newRows = Session.builder(getSession())
                .setCatalogSessionProperty("albis", "update_rewrite_threshold", "1")
                .build();
        try (TestTable inPlace = newTrinoTable("column_bytes", properties); TestTable other = newTrinoTable("column_bytes", properties)) {
            String update = "UPDATE %s SET linenumber = linenumber + 1 WHERE mod(partkey, 10) < 3";
            long inPlaceBytes = written(getSession(), update.formatted(inPlace.getName()));
            long newRowsBytes = written(newRows, update.formatted(other.getName()));
            assertThat(inPlaceBytes).isPositive();
            assertThat(newRowsBytes).isGreaterThan(3 * inPlaceBytes);
            assertQuery("SELECT sum(deleted_record_count) FROM \"%s$files\"".formatted(inPlace.getName()), "VALUES 0");

            List<String> columns = computeActual("DESCRIBE " + inPlace.getName()).getMaterializedRows().stream().map(row -> (String) row.getField(0)).toList();
            String checksum = "SELECT count(*), checksum(ROW(%s)), sum(linenumber) FROM ".formatted(String.join(", ", columns));
            String expected = columns.stream()
                    .map(column -> column.equals("linenumber") ? "IF(mod(partkey, 10) < 3, linenumber + 1, linenumber) linenumber" : column)
                    .collect(joining(", "));
            assertThat(computeActual(checksum + inPlace.getName())).isEqualTo(computeActual(checksum + "(SELECT %s FROM tpch.tiny.lineitem WHERE orderkey < 15000)".formatted(expected)));
            assertThat(computeActual(checksum + other.getName())).isEqualTo(computeActual(checksum + inPlace.getName()));
        }
    }

    private long written(Session session, String update)
            throws IOException
    {
        Set<Path> before = files();
        assertThat(getQueryRunner().execute(session, update).getUpdateCount().orElseThrow()).isBetween(4_000L, 5_000L);
        long bytes = 0;
        for (Path file : Sets.difference(files(), before)) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    /**
     * Updates of several columns with deletes between them, time travel, expiry, and optimize.
     */
    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testUpdates(String layout)
            throws IOException
    {
        try (TestTable table = newSortedOrders(layout)) {
            String name = table.getName();
            Set<Path> loaded = dataFiles(name);
            String bytes = "SELECT sum(file_size_in_bytes) FROM \"%s$files\"".formatted(name);
            long loadedBytes = (long) computeScalar(bytes);
            assertUpdate("UPDATE %s SET shippriority = 7 WHERE mod(custkey, 2) = 0".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 2) = 0");
            Set<Path> first = Sets.difference(dataFiles(name), loaded).immutableCopy();
            // one file in each row group, and no deletes file
            assertThat(first).hasSize(ROW_GROUPS).allMatch(file -> file.endsWith("data"));
            assertThat(first).extracting(file -> file.getParent().getParent()).allMatch(loaded.stream().map(file -> file.getParent().getParent()).collect(toImmutableSet())::contains);
            assertQuery("TABLE " + name, "SELECT orderkey, custkey, orderstatus, totalprice, orderdate, orderpriority, clerk, CASE WHEN mod(custkey, 2) = 0 THEN 7 ELSE 0 END, comment FROM orders");

            assertUpdate("DELETE FROM %s WHERE mod(custkey, 3) = 0".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 3) = 0");
            Set<Path> deleted = dataFiles(name);
            assertUpdate("UPDATE %s SET shippriority = shippriority + 1".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 3) <> 0");
            assertThat(Sets.difference(dataFiles(name), deleted)).hasSize(ROW_GROUPS);
            // the two columns are in one new file
            deleted = dataFiles(name);
            assertUpdate("UPDATE %s SET custkey = -custkey, orderstatus = NULL WHERE mod(custkey, 5) = 1 OR mod(custkey, 5) = 3".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 3) <> 0 AND mod(custkey, 5) IN (1, 3)");
            assertThat(Sets.difference(dataFiles(name), deleted)).hasSize(ROW_GROUPS);
            String expected =
                    """
                    SELECT orderkey, CASE WHEN mod(custkey, 5) IN (1, 3) THEN -custkey ELSE custkey END, CASE WHEN mod(custkey, 5) IN (1, 3) THEN NULL ELSE orderstatus END, totalprice, orderdate, orderpriority, clerk,
                    CASE WHEN mod(custkey, 2) = 0 THEN 8 ELSE 1 END, comment
                    FROM orders WHERE mod(custkey, 3) <> 0
                    """;
            assertQuery("TABLE " + name, expected);
            assertQuery("SELECT orderkey, totalprice FROM %s WHERE custkey < 0 AND shippriority = 8".formatted(name), "SELECT orderkey, totalprice FROM orders WHERE mod(custkey, 3) <> 0 AND mod(custkey, 5) IN (1, 3) AND mod(custkey, 2) = 0");
            assertQuery("SELECT count(*) FROM %s WHERE orderstatus IS NULL AND custkey > 0".formatted(name), "VALUES 0");
            assertThat((long) computeScalar(bytes)).isGreaterThan(loadedBytes);

            assertQuery("SELECT * FROM %s FOR VERSION AS OF 1".formatted(name), "TABLE orders");
            assertQuery("SELECT orderkey, shippriority, comment FROM %s FOR VERSION AS OF 2".formatted(name), "SELECT orderkey, CASE WHEN mod(custkey, 2) = 0 THEN 7 ELSE 0 END, comment FROM orders");
            assertQuery("SELECT orderkey, shippriority FROM %s FOR VERSION AS OF 4".formatted(name), "SELECT orderkey, CASE WHEN mod(custkey, 2) = 0 THEN 8 ELSE 1 END FROM orders WHERE mod(custkey, 3) <> 0");

            // the first new values of shippriority are not needed any more, but the files of the load are
            expire(name);
            assertThat(dataFiles(name)).containsAll(loaded).doesNotContainAnyElementsOf(first);
            assertQuery("TABLE " + name, expected);

            assertQuerySucceeds("ALTER TABLE %s EXECUTE optimize(sorted_by => ARRAY['orderkey'])".formatted(name));
            expire(name);
            assertQuery("TABLE " + name, expected);
            long rowGroups = (long) computeScalar("SELECT count(*) FROM \"%s$files\"".formatted(name));
            // all columns are together again
            assertThat(dataFiles(name)).hasSize((int) rowGroups).doesNotContainAnyElementsOf(loaded);
        }
    }

    /**
     * Without sorted_by, optimize replaces row groups of which many bytes are not read any more.
     */
    @Test
    void testOptimize()
            throws IOException
    {
        try (TestTable table = newTrinoTable("column_optimize", "WITH (row_group_size = '256kB') AS TABLE orders")) {
            String name = table.getName();
            long rowGroups = (long) computeScalar("SELECT count(*) FROM \"%s$files\"".formatted(name));
            assertUpdate("UPDATE %s SET shippriority = shippriority + custkey".formatted(name), 15000);
            Set<Path> updated = dataFiles(name);
            assertThat(updated).hasSize((int) (2 * rowGroups));
            assertUpdate("UPDATE %s SET custkey = 2 * custkey, totalprice = 2 * totalprice, orderdate = orderdate + INTERVAL '1' DAY".formatted(name), 15000);
            assertQuerySucceeds("ALTER TABLE %s EXECUTE optimize".formatted(name));
            expire(name);
            assertThat(dataFiles(name)).doesNotContainAnyElementsOf(updated);
            assertQuery("TABLE " + name, "SELECT orderkey, 2 * custkey, orderstatus, 2 * totalprice, DATEADD('DAY', 1, orderdate), orderpriority, clerk, custkey, comment FROM orders");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testSchemaChanges(String layout)
    {
        try (TestTable table = newSortedOrders(layout)) {
            String name = table.getName();
            assertUpdate("UPDATE %s SET shippriority = custkey, totalprice = 1 WHERE mod(custkey, 2) = 0".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 2) = 0");
            assertUpdate("ALTER TABLE %s ADD COLUMN added varchar".formatted(name));
            assertUpdate("UPDATE %s SET added = clerk, custkey = custkey + 1 WHERE mod(custkey, 2) = 1".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 2) = 1");
            assertUpdate("ALTER TABLE %s DROP COLUMN shippriority".formatted(name));
            assertUpdate("ALTER TABLE %s DROP COLUMN clerk".formatted(name));
            assertUpdate("UPDATE %s SET comment = 'x', added = added || '!' WHERE mod(orderkey, 2) = 0".formatted(name), "SELECT count(*) FROM orders WHERE mod(orderkey, 2) = 0");
            String expected =
                    """
                    SELECT orderkey, CASE WHEN mod(custkey, 2) = 1 THEN custkey + 1 ELSE custkey END, orderstatus, CASE WHEN mod(custkey, 2) = 0 THEN 1 ELSE totalprice END, orderdate, orderpriority,
                    CASE WHEN mod(orderkey, 2) = 0 THEN 'x' ELSE comment END, CASE WHEN mod(custkey, 2) = 0 THEN NULL WHEN mod(orderkey, 2) = 0 THEN CONCAT(clerk, '!') ELSE clerk END
                    FROM orders
                    """;
            assertQuery("TABLE " + name, expected);
            assertQuerySucceeds("ALTER TABLE %s EXECUTE optimize(sorted_by => ARRAY['comment'])".formatted(name));
            assertQuery("TABLE " + name, expected);
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(snapshot_id => 2)".formatted(name));
            assertQuery("SELECT orderkey, shippriority, clerk FROM " + name, "SELECT orderkey, CASE WHEN mod(custkey, 2) = 0 THEN custkey ELSE 0 END, clerk FROM orders");
        }
    }

    @Test
    void testMerge()
            throws IOException
    {
        try (TestTable table = newSortedOrders("block")) {
            String name = table.getName();
            Set<Path> before = dataFiles(name);
            assertUpdate(
                    """
                    MERGE INTO %s t
                    USING (SELECT orderkey k, mod(orderkey, 4) r FROM orders) s
                    ON t.orderkey = s.k
                    WHEN MATCHED AND s.r = 0 THEN DELETE
                    WHEN MATCHED AND s.r = 1 THEN UPDATE SET shippriority = 1
                    WHEN MATCHED AND s.r = 2 THEN UPDATE SET custkey = 2
                    """.formatted(name),
                    "SELECT count(*) FROM orders WHERE mod(orderkey, 4) <> 3");
            Set<Path> added = Sets.difference(dataFiles(name), before);
            assertThat(added.stream().filter(file -> file.endsWith("data"))).hasSize(ROW_GROUPS);
            assertQuery(
                    "TABLE " + name,
                    """
                    SELECT orderkey, CASE WHEN mod(orderkey, 4) = 2 THEN 2 ELSE custkey END, orderstatus, totalprice, orderdate, orderpriority, clerk, CASE WHEN mod(orderkey, 4) = 1 THEN 1 ELSE 0 END, comment
                    FROM orders WHERE mod(orderkey, 4) <> 0
                    """);
        }
    }

    private void expire(String table)
    {
        assertQuerySucceeds("ALTER TABLE %s EXECUTE expire_snapshots(retention_threshold => '0s')".formatted(table));
    }

    /**
     * Creates a table of row groups with ascending, disjoint ranges of the order key.
     */
    private TestTable newSortedOrders(String layout)
    {
        Session session = SortedLoad.session(getSession());
        return new TestTable(sql -> getQueryRunner().execute(session, sql), "columns", "WITH (row_group_rows = 1000, layout = '%s') AS SELECT * FROM orders ORDER BY orderkey".formatted(layout));
    }

    /**
     * Returns the data files of a table and its files of deleted rows.
     */
    private Set<Path> dataFiles(String table)
            throws IOException
    {
        return files().stream()
                .filter(file -> file.toString().contains("/%s-".formatted(table)) && (file.endsWith("data") || file.toString().contains("/deletes/")))
                .collect(toImmutableSet());
    }

    private Set<Path> files()
            throws IOException
    {
        try (Stream<Path> files = Files.walk(((DistributedQueryRunner) getQueryRunner()).getCoordinator().getBaseDataDir().resolve("albis"))) {
            return files.filter(Files::isRegularFile).collect(toImmutableSet());
        }
    }
}
