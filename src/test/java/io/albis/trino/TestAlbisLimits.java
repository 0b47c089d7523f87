package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.TableFixtures;
import io.albis.table.Warehouse;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * SQL on tables that are at the limits which docs/operations.md describes. The test prints counts and bytes, which do
 * not depend on the machine.
 */
@TestInstance(PER_CLASS)
@Tag("slow")
final class TestAlbisLimits
        extends AbstractTestQueryFramework
{
    private static final int COLUMNS = 1000;
    private static final int ROW_GROUPS = 100_000;
    private static final int ROWS = 100;
    private static final int LONG_VALUE = 1 << 20;

    private Path folder;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        folder = Files.createTempDirectory("albis-limits");
        closeAfterClass(() -> deleteRecursively(folder, ALLOW_INSECURE));
        return AlbisQueryRunner.builder()
                .addAlbisProperties(AlbisQueryRunner.catalogProperties(folder))
                .setWorkerCount(0)
                .build();
    }

    @Test
    @Timeout(1200)
    void testManyColumns()
            throws IOException
    {
        long before = bytes();
        assertUpdate("CREATE TABLE wide WITH (row_group_rows = 1000, segment_size = '64kB') AS SELECT %s FROM tpch.tiny.orders WHERE orderkey <= 8000".formatted(columns(column -> "orderkey * %s AS c%s".formatted(column, column))), 2000);
        print("A table of %s columns and 2000 rows has %s bytes, of which the version has %s and the largest manifest %s", COLUMNS, bytes() - before, largest("wide", "versions"), largest("wide", "manifests"));
        assertThat(largest("wide", "versions")).isLessThan(200_000);
        assertThat(largest("wide", "manifests")).isLessThan(1_500_000);
        // Two for each row group
        assertThat(rowGroupFiles()).isEqualTo(2 * (long) computeScalar("SELECT count(*) FROM \"wide$files\""));
        assertQuery("SELECT count(*), sum(c1), sum(c500), sum(c999) FROM wide", "SELECT count(*), sum(orderkey), sum(orderkey * 500), sum(orderkey * 999) FROM orders WHERE orderkey <= 8000");
        assertQuery("SELECT c3, c1000 FROM wide WHERE c7 = 7", "VALUES (3, 1000)");
        assertThat(computeActual("SELECT * FROM wide WHERE c1 = 1").getMaterializedRows().getFirst().getFieldCount()).isEqualTo(COLUMNS);
        assertThat(computeActual("SHOW STATS FOR wide").getMaterializedRows()).hasSize(COLUMNS + 1);

        before = bytes();
        assertUpdate("UPDATE wide SET c2 = 0 WHERE c1 = 1", 1);
        print("Updating one row of it writes %s bytes", bytes() - before);
        before = bytes();
        assertUpdate("DELETE FROM wide WHERE c1 = 2", 1);
        print("Deleting one row of it writes %s bytes", bytes() - before);
        assertThat(bytes() - before).isLessThan(400_000);
        assertUpdate("INSERT INTO wide SELECT * FROM wide WHERE c1 = 3", 1);
        assertUpdate("ALTER TABLE wide ADD COLUMN added bigint");
        assertUpdate("ALTER TABLE wide DROP COLUMN c500");
        computeActual("ALTER TABLE wide EXECUTE optimize");
        assertQuery("SELECT count(*), count(added), min(c2) FROM wide", "VALUES (2000, 0, 0)");
        assertQuery("SELECT count(*) FROM wide FOR VERSION AS OF 1 WHERE c500 = 500", "VALUES 1");
    }

    /**
     * All but one of the row groups have no files, so a statement that reads any of them fails.
     */
    @Test
    @Timeout(1200)
    void testManyRowGroups()
            throws IOException
    {
        assertUpdate("CREATE TABLE many (k bigint, v bigint)");
        assertUpdate("INSERT INTO many VALUES (-1, 7), (-1, 8), (-1, 9)", 3);
        Warehouse warehouse = TableFixtures.localWarehouse(folder, "local:///warehouse");
        AlbisTable table = TableFixtures.load(warehouse, getSession().getSchema().orElseThrow(), "many");
        long before = bytes();
        warehouse.append(table, TableRows.withoutSketches(IntStream.range(0, ROW_GROUPS).mapToObj(TestAlbisLimits::rowGroup).collect(toImmutableList())), ReadSet.BLIND);
        print("The manifests and the version of %s row groups of 2 columns have %s bytes", ROW_GROUPS, bytes() - before);

        long rows = (long) ROW_GROUPS * ROWS;
        assertThat(computeScalar("SELECT count(*) FROM many")).isEqualTo(rows + 3);
        assertThat((String) computeScalar("EXPLAIN SELECT v FROM many WHERE k > 5000000")).contains("TableScan");
        assertThat(computeScalar("SELECT v FROM many WHERE k = -1 AND v = 8")).isEqualTo(8L);
        assertThat(computeScalar("SELECT count(*) FROM \"many$files\"")).isEqualTo(ROW_GROUPS + 1L);
        print("The table has %s manifests", computeScalar("SELECT count(*) FROM \"many$manifests\""));

        before = bytes();
        assertUpdate("DELETE FROM many WHERE k = -1 AND v = 8", 1);
        print("DELETE of one row writes %s bytes", bytes() - before);
        assertThat(bytes() - before).isLessThan(40_000);
        before = bytes();
        assertUpdate("UPDATE many SET v = 10 WHERE k = -1 AND v = 9", 1);
        print("UPDATE of one row writes %s bytes", bytes() - before);
        assertThat(bytes() - before).isLessThan(60_000);
        assertQuery("SELECT v FROM many WHERE k = -1", "VALUES 7, 10");

        // The bounds decide about whole row groups
        before = bytes();
        assertUpdate("DELETE FROM many WHERE k >= %s".formatted(rows / 2), rows / 2);
        print("DELETE of half of the row groups writes %s bytes", bytes() - before);
        assertThat(computeScalar("SELECT count(*) FROM many")).isEqualTo(rows / 2 + 2);
    }

    @Test
    @Timeout(1200)
    void testLongValues()
            throws IOException
    {
        assertUpdate("CREATE TABLE long_values (id bigint, t varchar, b varbinary) WITH (column_groups = ARRAY[ARRAY['id'], ARRAY['t'], ARRAY['b']])");
        execute("INSERT of 8 rows", getSession(), "INSERT INTO long_values SELECT n, %s, to_utf8(%s) FROM UNNEST(sequence(1, 8)) u (n)".formatted(longText("n", 'x'), longText("n", 'y')), 8, 16);
        assertLongValues("long_values", 8, "'x'", "'y'");
        assertQuery("SELECT id FROM long_values WHERE t = " + longText("3", 'x'), "VALUES 3");
        assertQuery("SELECT id FROM long_values WHERE b = to_utf8(%s)".formatted(longText("4", 'y')), "VALUES 4");
        assertQuery("SELECT id FROM long_values WHERE t > %s ORDER BY t LIMIT 2".formatted(longText("6", 'x')), "VALUES 7, 8");
        assertQueryReturnsEmptyResult("SELECT id FROM long_values WHERE t = %s OR b = to_utf8(%s)".formatted(longText("3", 'y'), longText("9", 'y')));
        assertQuery("SELECT l.id FROM long_values l JOIN (SELECT %s v FROM UNNEST(sequence(2, 3)) u (n)) ON t = v".formatted(longText("n", 'x')), "VALUES 2, 3");

        execute("UPDATE of one column of all of them in place", getSession(), "UPDATE long_values SET t = %s".formatted(longText("id", 'z')), 8, 8);
        assertQuery("SELECT count(*), sum(deleted_record_count) FROM \"long_values$files\"", "VALUES (1, 0)");
        assertLongValues("long_values", 8, "'z'", "'y'");
        Session newRows = Session.builder(getSession())
                .setCatalogSessionProperty("albis", "update_rewrite_threshold", "1")
                .build();
        execute("UPDATE of one row as a new row", newRows, "UPDATE long_values SET t = %s WHERE t = %s".formatted(longText("id", 'u'), longText("3", 'z')), 1, 2);
        assertQuery("SELECT count(*), sum(deleted_record_count) FROM \"long_values$files\"", "VALUES (2, 1)");
        execute("DELETE of one row", getSession(), "DELETE FROM long_values WHERE b = to_utf8(%s)".formatted(longText("4", 'y')), 1, 0);
        execute("MERGE that updates 2 rows, deletes one, and inserts one",
                newRows,
                """
                MERGE INTO long_values l USING (SELECT n, %s v FROM UNNEST(sequence(6, 9)) u (n)) ON id = n
                WHEN MATCHED AND n = 7 THEN DELETE
                WHEN MATCHED THEN UPDATE SET t = v, b = to_utf8(%s)
                WHEN NOT MATCHED THEN INSERT VALUES (n, v, to_utf8(%s))
                """.formatted(longText("n", 'm'), longText("n", 'n'), longText("n", 'n')),
                4,
                6);
        String first = "IF(id >= 6, 'm', IF(id = 3, 'u', 'z'))";
        String second = "IF(id >= 6, 'n', 'y')";
        assertLongValues("long_values", 7, first, second);
        long before = bytes();
        computeActual("ALTER TABLE long_values EXECUTE optimize");
        checkWritten("optimize of the 7 rows that are left", bytes() - before, 14);
        assertQuery("SELECT count(*), sum(deleted_record_count) FROM \"long_values$files\"", "VALUES (1, 0)");
        assertLongValues("long_values", 7, first, second);
        assertLongValues("long_values FOR VERSION AS OF 2", 8, "'x'", "'y'");
        assertLongValues("long_values FOR VERSION AS OF 3", 8, "'z'", "'y'");
        print("The largest manifest has %s bytes", largest("long_values", "manifests"));
        assertThat(largest("long_values", "manifests")).isLessThan(10_000);
    }

    /**
     * Returns an expression for a text of 1 MB.
     *
     * @param id expression for the number with which it begins
     */
    private static String longText(String id, char filler)
    {
        return "rpad(CAST(%s AS varchar), %s, '%s')".formatted(id, LONG_VALUE, filler);
    }

    /**
     * Asserts that a table has some rows with values of 1 MB that begin with the id.
     *
     * @param text expression for the other characters of the texts
     * @param binary expression for the other characters of the binary values
     */
    private void assertLongValues(String table, int rows, String text, String binary)
    {
        String matches = "t = rpad(CAST(id AS varchar), %1$s, %2$s) AND b = to_utf8(rpad(CAST(id AS varchar), %1$s, %3$s))".formatted(LONG_VALUE, text, binary);
        assertQuery("SELECT count(*), count_if(%s) FROM %s".formatted(matches, table), "VALUES (%1$s, %1$s)".formatted(rows));
    }

    /**
     * Runs a statement, and prints and checks how many bytes it has written.
     *
     * @param rows number of rows that it changes
     * @param values number of values of 1 MB that it writes
     */
    private void execute(String description, Session session, String sql, long rows, long values)
            throws IOException
    {
        long before = bytes();
        assertUpdate(session, sql, rows);
        checkWritten(description, bytes() - before, values);
    }

    private static void checkWritten(String description, long bytes, long values)
    {
        print("Values of 1 MB: %s writes %s bytes", description, bytes);
        assertThat(bytes).isBetween(values * LONG_VALUE, values * LONG_VALUE + 30_000);
    }

    private static RowGroup rowGroup(int number)
    {
        long first = (long) number * ROWS;
        return new RowGroup(
                UUID.randomUUID(),
                ROWS,
                ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1, 2), 1600, 200)),
                ImmutableList.of(statistics(1, first, first + ROWS - 1), statistics(2, 0, 1)));
    }

    private static ColumnStatistics statistics(int column, long min, long max)
    {
        return new ColumnStatistics(column, 0, UNORDERED, Optional.of(bound(min)), Optional.of(bound(max)), Optional.of("bigint"));
    }

    private static byte[] bound(long value)
    {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    }

    private static String columns(IntFunction<String> column)
    {
        return IntStream.rangeClosed(1, COLUMNS).mapToObj(column).collect(joining(", "));
    }

    private static void print(String format, Object... arguments)
    {
        // in one piece, because the log has a line for each
        System.out.println(format.formatted(arguments));
    }

    private long bytes()
            throws IOException
    {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
        }
    }

    private long rowGroupFiles()
            throws IOException
    {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).filter(file -> file.toString().matches(".*/wide-.*/rg-.*")).count();
        }
    }

    /**
     * Returns the size of the largest file in a folder of a table.
     */
    private long largest(String table, String subfolder)
            throws IOException
    {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().contains("/%s-".formatted(table)) && file.toString().contains("/" + subfolder + "/"))
                    .mapToLong(file -> file.toFile().length())
                    .max()
                    .orElseThrow();
        }
    }
}
