package io.albis.trino;

import com.google.common.collect.Sets;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import io.trino.tpch.TpchTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

/**
 * UPDATE and MERGE write only the column groups that they change, if they change enough rows of a row group.
 */
final class TestAlbisInPlaceUpdates
        extends AbstractTestQueryFramework
{
    private static final int ROW_GROUPS = 15;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .addAlbisProperty("albis.default-column-groups", "COLUMN")
                .setInitialTables(List.of(TpchTable.ORDERS))
                .build();
    }

    /**
     * Creates a table of row groups with ascending, disjoint ranges of the order key.
     */
    private TestTable newSortedOrders(String properties)
    {
        Session session = SortedLoad.session(getSession());
        return new TestTable(sql -> getQueryRunner().execute(session, sql), "in_place", "WITH (row_group_rows = 1000%s) AS SELECT * FROM orders ORDER BY orderkey".formatted(properties));
    }

    private Session threshold(double threshold)
    {
        return Session.builder(getSession())
                .setCatalogSessionProperty("albis", "update_rewrite_threshold", String.valueOf(threshold))
                .build();
    }

    private Session buffer(String size)
    {
        return Session.builder(getSession())
                .setCatalogSessionProperty("albis", "update_buffer_size", size)
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testUpdate(String layout)
            throws IOException
    {
        try (TestTable table = newSortedOrders(", layout = '%s'".formatted(layout))) {
            String name = table.getName();
            Set<Path> before = dataFiles();
            assertUpdate("UPDATE %s SET shippriority = 7, clerk = nullif(clerk, 'Clerk#000000951') WHERE mod(custkey, 2) = 0".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 2) = 0");
            // two column groups of each row group, and no deletes file
            Set<Path> added = Sets.difference(dataFiles(), before);
            assertThat(added).hasSize(2 * ROW_GROUPS).allMatch(file -> file.endsWith("data"));
            assertThat(added.stream().map(file -> file.getParent().getParent())).allMatch(before.stream().map(file -> file.getParent().getParent()).collect(toImmutableSet())::contains);
            String expected =
                    """
                    SELECT orderkey, custkey, orderstatus, totalprice, orderdate, orderpriority,
                    CASE WHEN mod(custkey, 2) = 0 THEN nullif(clerk, 'Clerk#000000951') ELSE clerk END, CASE WHEN mod(custkey, 2) = 0 THEN 7 ELSE shippriority END, comment
                    FROM orders
                    """;
            assertQuery("TABLE " + name, expected);
            assertQuery("SELECT count(*) FROM %s WHERE shippriority = 7".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 2) = 0");
            assertQuery("SELECT count(*) FROM %s WHERE clerk IS NULL".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 2) = 0 AND clerk = 'Clerk#000000951'");
            assertQuery("SELECT count(*), count(DISTINCT \"$row_group\"), max(\"$row_position\") FROM " + name, "VALUES (15000, 15, 999)");
            assertQuery("SELECT operation FROM \"%s$snapshots\" ORDER BY snapshot_id DESC LIMIT 1".formatted(name), "VALUES 'overwrite'");
            // older versions have the old values
            assertQuery("SELECT * FROM %s FOR VERSION AS OF 1".formatted(name), "TABLE orders");
        }
    }

    @Test
    void testColumnsOfOneGroup()
            throws IOException
    {
        try (TestTable table = newSortedOrders(", column_groups = ARRAY[ARRAY['comment', 'shippriority'], ARRAY['orderkey', 'custkey']]")) {
            String name = table.getName();
            Set<Path> before = dataFiles();
            assertUpdate("UPDATE %s SET shippriority = 7".formatted(name), 15000);
            assertThat(Sets.difference(dataFiles(), before)).hasSize(ROW_GROUPS);
            assertQuery("TABLE " + name, "SELECT orderkey, custkey, orderstatus, totalprice, orderdate, orderpriority, clerk, 7, comment FROM orders");
        }
    }

    @Test
    void testDeletedRows()
            throws IOException
    {
        try (TestTable table = newSortedOrders("")) {
            String name = table.getName();
            assertUpdate("DELETE FROM %s WHERE mod(custkey, 3) = 0".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 3) = 0");
            Set<Path> before = dataFiles();
            assertUpdate("UPDATE %s SET comment = 'x' WHERE mod(custkey, 3) = 1".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 3) = 1");
            assertThat(Sets.difference(dataFiles(), before)).hasSize(ROW_GROUPS);
            assertUpdate("DELETE FROM %s WHERE comment = 'x' AND mod(custkey, 2) = 0".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 3) = 1 AND mod(custkey, 2) = 0");
            assertUpdate("UPDATE %s SET comment = comment || 'y', orderkey = -orderkey".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 3) = 2 OR mod(custkey, 6) = 1");
            assertQuery("SELECT orderkey, comment FROM " + name, "SELECT -orderkey, CASE WHEN mod(custkey, 3) = 1 THEN 'x' ELSE comment END || 'y' FROM orders WHERE mod(custkey, 3) = 2 OR mod(custkey, 6) = 1");
        }
    }

    @Test
    void testMerge()
            throws IOException
    {
        try (TestTable table = newSortedOrders("")) {
            String name = table.getName();
            Set<Path> before = dataFiles();
            assertUpdate(
                    """
                    MERGE INTO %s t
                    USING (SELECT orderkey + 1 k, orderkey %% 3 r FROM orders) s
                    ON t.orderkey = s.k
                    WHEN MATCHED AND s.r = 0 THEN DELETE
                    WHEN MATCHED AND s.r = 1 THEN UPDATE SET clerk = 'one'
                    WHEN MATCHED THEN UPDATE SET shippriority = t.shippriority + 7
                    WHEN NOT MATCHED THEN INSERT (orderkey, comment) VALUES (s.k, 'new')
                    """.formatted(name),
                    15000);
            assertQuery("SELECT orderkey, clerk, shippriority FROM %s WHERE comment <> 'new'".formatted(name),
                    """
                    SELECT o.orderkey, CASE WHEN mod(s.orderkey, 3) = 1 THEN 'one' ELSE o.clerk END, CASE WHEN mod(s.orderkey, 3) = 2 THEN 7 ELSE o.shippriority END
                    FROM orders o LEFT JOIN orders s ON s.orderkey = o.orderkey - 1
                    WHERE s.orderkey IS NULL OR mod(s.orderkey, 3) <> 0
                    """);
            assertQuery("SELECT orderkey FROM %s WHERE comment = 'new'".formatted(name), "SELECT orderkey + 1 FROM orders WHERE orderkey + 1 NOT IN (SELECT orderkey FROM orders)");
            // the columns of both cases in the old row groups, and new rows
            Set<Path> added = Sets.difference(dataFiles(), before);
            Set<Path> oldRowGroups = before.stream().map(file -> file.getParent().getParent()).collect(toImmutableSet());
            assertThat(added.stream().filter(file -> file.endsWith("data") && oldRowGroups.contains(file.getParent().getParent()))).hasSize(2 * ROW_GROUPS);
        }
    }

    @Test
    void testThreshold()
            throws IOException
    {
        try (TestTable table = newSortedOrders("")) {
            String name = table.getName();
            // about 20 % of the rows
            String update = "UPDATE %s SET shippriority = shippriority + 1 WHERE mod(custkey, 5) = 0".formatted(name);
            String count = "SELECT count(*) FROM orders WHERE mod(custkey, 5) = 0";
            Set<Path> before = dataFiles();
            assertUpdate(threshold(0.1), update, count);
            assertThat(Sets.difference(dataFiles(), before)).hasSize(ROW_GROUPS);
            assertQuery("SELECT count(DISTINCT \"$row_group\") FROM " + name, "VALUES 15");
            before = dataFiles();
            assertUpdate(threshold(0.9), update, count);
            assertThat(Sets.difference(dataFiles(), before)).anyMatch(file -> file.toString().contains("/deletes/"));
            assertUpdate(threshold(1), update, count);
            assertQuery("TABLE " + name, "SELECT orderkey, custkey, orderstatus, totalprice, orderdate, orderpriority, clerk, CASE WHEN mod(custkey, 5) = 0 THEN 3 ELSE 0 END, comment FROM orders");
            assertThat((long) computeScalar("SELECT count(DISTINCT \"$row_group\") FROM " + name)).isGreaterThan(15);
        }
    }

    /**
     * The statistics are those of the new values and of the live rows.
     */
    @Test
    void testStatistics()
    {
        try (TestTable table = newSortedOrders("")) {
            String name = table.getName();
            assertUpdate("DELETE FROM %s WHERE mod(orderkey, 10) <> 0".formatted(name), "SELECT count(*) FROM orders WHERE mod(orderkey, 10) <> 0");
            assertUpdate("UPDATE %s SET custkey = custkey + 1, comment = 'x' || substr(comment, 1, 20)".formatted(name), "SELECT count(*) FROM orders WHERE mod(orderkey, 10) = 0");
            List<MaterializedRow> statistics = computeActual("SHOW STATS FOR " + name).getMaterializedRows();
            for (MaterializedRow column : statistics.subList(0, 9)) {
                assertThat(column.getField(3)).as("nulls of %s", column.getField(0)).isEqualTo(0.0);
            }
            long rows = (long) computeScalar("SELECT count(*) FROM " + name);
            assertQuery("SELECT count(*) FROM %s WHERE custkey IS NOT NULL AND comment IS NOT NULL".formatted(name), "VALUES " + rows);
        }
    }

    /**
     * A column that is filled later has as many distinct values as any other.
     */
    @Test
    void testStatisticsOfNewValues()
    {
        try (TestTable table = newTrinoTable("in_place_backfill", "AS SELECT orderkey, CAST(NULL AS bigint) x, CAST(NULL AS varchar) y FROM orders")) {
            String name = table.getName();
            assertUpdate("UPDATE %s SET x = orderkey, y = lpad(CAST(orderkey AS varchar), 100, '-')".formatted(name), 15000);
            List<MaterializedRow> statistics = computeActual("SHOW STATS FOR " + name).getMaterializedRows();
            for (MaterializedRow column : statistics.subList(0, 3)) {
                assertThat((Double) column.getField(2)).as("distinct values of %s", column.getField(0)).isCloseTo(15000, withPercentage(10));
            }
            assertThat((Double) statistics.get(2).getField(1)).isCloseTo(1_500_000, withPercentage(1));
        }
    }

    @Test
    void testFileModifiedTime()
    {
        try (TestTable table = newSortedOrders("")) {
            String name = table.getName();
            ZonedDateTime loaded = (ZonedDateTime) computeScalar("SELECT max(\"$file_modified_time\") FROM " + name);
            String changed = "SELECT count(*) FROM %s WHERE \"$file_modified_time\" > TIMESTAMP '%s'".formatted(name, DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS 'UTC'").format(loaded));
            assertQuery(changed, "VALUES 0");
            // all rows of a row group, of which the statement changes a half
            assertUpdate("UPDATE %s SET clerk = 'x' WHERE orderkey <= (SELECT max(orderkey) FROM %1$s WHERE \"$row_position\" = 500 AND orderkey < 3000)".formatted(name), 501);
            assertQuery(changed, "VALUES 1000");
            assertUpdate("UPDATE %s SET orderkey = orderkey".formatted(name), 15000);
            assertQuery(changed, "VALUES 15000");
        }
    }

    /**
     * New instances of wide columns would take more bytes than new rows.
     */
    @Test
    void testWideColumns()
            throws IOException
    {
        try (TestTable table = newSortedOrders(", column_groups = ARRAY[ARRAY['orderkey', 'custkey', 'orderstatus', 'totalprice', 'orderdate', 'orderpriority', 'clerk', 'shippriority', 'comment']]")) {
            String name = table.getName();
            Set<Path> before = dataFiles();
            assertUpdate("UPDATE %s SET comment = 'x', shippriority = 1 WHERE mod(custkey, 5) = 0".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 5) = 0");
            assertThat(Sets.difference(dataFiles(), before)).anyMatch(file -> file.toString().contains("/deletes/"));
            assertQuery("SELECT count(*) FROM %s WHERE shippriority = 1 AND comment = 'x'".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 5) = 0");
        }
    }

    /**
     * The memory for new values is limited. What does not fit is written early, or as new rows.
     */
    @ParameterizedTest
    @ValueSource(strings = {"0B", "1kB", "20kB", "100kB", "1MB"})
    void testBuffer(String size)
    {
        try (TestTable table = newSortedOrders("")) {
            String name = table.getName();
            assertUpdate(buffer(size), "UPDATE %s SET clerk = substr(comment, 1, 9) || '!', custkey = custkey + 1 WHERE mod(custkey, 10) <> 0".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 10) <> 0");
            assertQuery(
                    "SELECT orderkey, custkey, clerk, comment FROM " + name,
                    "SELECT orderkey, CASE WHEN mod(custkey, 10) = 0 THEN custkey ELSE custkey + 1 END, CASE WHEN mod(custkey, 10) = 0 THEN clerk ELSE substr(comment, 1, 9) || '!' END, comment FROM orders");
            assertUpdate(buffer(size), "UPDATE %s SET custkey = 0".formatted(name), 15000);
            assertQuery("SELECT orderkey, custkey FROM " + name, "SELECT orderkey, 0 FROM orders");
        }
    }

    /**
     * A constant is one value in memory, but not in a segment.
     */
    @Test
    void testLongConstant()
    {
        try (TestTable table = newSortedOrders("")) {
            String name = table.getName();
            assertUpdate(buffer("1MB"), "UPDATE %s SET comment = cast(lpad('', 79, 'x') AS varchar(79)), clerk = lpad('', 15, 'y')".formatted(name), 15000);
            assertQuery("SELECT count(*) FROM %s WHERE comment LIKE 'xx%%' AND length(comment) = 79 AND clerk = 'yyyyyyyyyyyyyyy'".formatted(name), "VALUES 15000");
        }
    }

    /**
     * An UPDATE of one of 16 columns writes at least three times fewer bytes than one that writes new rows.
     */
    @Test
    void testWrittenBytes()
            throws IOException
    {
        String columns = IntStream.range(0, 16).mapToObj("n * %1$s c%1$s"::formatted).collect(joining(", "));
        try (TestTable table = newTrinoTable("in_place_bytes", "AS SELECT %s FROM UNNEST(sequence(1, 10000)) t (n)".formatted(columns))) {
            String update = "UPDATE %s SET c5 = c5 + 1".formatted(table.getName());
            long inPlace = written(threshold(0.05), update, 10_000);
            long newRows = written(threshold(1), update, 10_000);
            assertThat(inPlace).isPositive();
            assertThat(newRows).isGreaterThan(3 * inPlace);
            // also if it changes only a part of the rows
            inPlace = written(threshold(0.05), update + " WHERE c1 % 2 = 0", 5_000);
            newRows = written(threshold(1), update + " WHERE c1 % 2 = 0", 5_000);
            assertThat(newRows).isGreaterThan(3 * inPlace);
        }
    }

    private long written(Session session, String update, int rows)
            throws IOException
    {
        Set<Path> before = files();
        assertUpdate(session, update, rows);
        long bytes = 0;
        for (Path file : Sets.difference(files(), before)) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    /**
     * Returns the data files and the files of deleted rows.
     */
    private Set<Path> dataFiles()
            throws IOException
    {
        return files().stream()
                .filter(file -> file.endsWith("data") || file.toString().contains("/deletes/"))
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
