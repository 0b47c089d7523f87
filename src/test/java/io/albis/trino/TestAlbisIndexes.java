package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.intellij.lang.annotations.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.config.AlbisSessionProperties.DYNAMIC_FILTERING_WAIT_TIMEOUT;
import static io.albis.trino.config.AlbisSessionProperties.INDEX_ENABLED;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_BAD_DATA;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static io.trino.testing.TestingNames.randomNameSuffix;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The table property indexed_by.
 */
final class TestAlbisIndexes
        extends AbstractTestQueryFramework
{
    private static final String ROWS = "SELECT n id, mod(n * 7919, 100003) k, IF(mod(n, 50) = 0, NULL, 'text ' || CAST(mod(n * 31, 5003) AS varchar)) s, CAST(mod(n * 13, 7001) AS double) d FROM UNNEST(sequence(1, 10000)) a (i) CROSS JOIN UNNEST(sequence(0, 9)) b (j) CROSS JOIN LATERAL (SELECT j * 10000 + i n)";

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(ImmutableList.of())
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testQueries(String layout)
    {
        try (TestTable table = newTrinoTable("indexed", "WITH (layout = '%s', segment_size = '8kB', indexed_by = ARRAY['k', 'S', 'd']) AS %s".formatted(layout, ROWS))) {
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("indexed_by = ARRAY['k','s','d']");
            assertQuery("SELECT value FROM \"%s$properties\" WHERE key = 'indexed_by'".formatted(table.getName()), "VALUES 'k, s, d'");
            assertIndexed("SELECT * FROM %s WHERE k = 77".formatted(table.getName()));
            assertIndexed("SELECT * FROM %s WHERE k IN (1, 5000, 99999, 200000)".formatted(table.getName()));
            assertIndexed("SELECT * FROM %s WHERE k BETWEEN 100 AND 120".formatted(table.getName()));
            assertIndexed("SELECT count(*), sum(id) FROM %s WHERE s = 'text 17'".formatted(table.getName()));
            assertIndexed("SELECT * FROM %s WHERE s = 'text 17' AND d < 1000".formatted(table.getName()));
            assertIndexed("SELECT count(*) FROM %s WHERE s IS NULL AND k < 500".formatted(table.getName()));
            assertIndexed("SELECT * FROM %s WHERE k = 77 AND s = 'text 17x'".formatted(table.getName()));
            assertIndexed("SELECT id FROM %s WHERE d = 3500e0 AND id > 50000".formatted(table.getName()));
            // most rows match
            assertSame("SELECT count(*), sum(k) FROM %s WHERE k > 77".formatted(table.getName()));
        }
    }

    @Test
    void testChangedRows()
    {
        try (TestTable table = newTrinoTable("changed", "WITH (segment_size = '8kB', indexed_by = ARRAY['k']) AS " + ROWS)) {
            assertUpdate("DELETE FROM %s WHERE k = 77".formatted(table.getName()), 1);
            assertUpdate("UPDATE %s SET k = 77 WHERE id = 5000".formatted(table.getName()), 1);
            assertIndexed("SELECT * FROM %s WHERE k = 77".formatted(table.getName()));
            // updates in place write a new index
            assertUpdate("UPDATE %s SET k = -k".formatted(table.getName()), 99_999);
            assertIndexed("SELECT * FROM %s WHERE k IN (-77, -78, 79)".formatted(table.getName()));
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(table.getName()));
            assertIndexed("SELECT * FROM %s WHERE k IN (-77, -78, 79)".formatted(table.getName()));
            computeActual("ALTER TABLE %s EXECUTE regroup(column_groups => ARRAY[ARRAY['k'], ARRAY['id', 's', 'd']])".formatted(table.getName()));
            assertIndexed("SELECT * FROM %s WHERE k IN (-77, -78, 79)".formatted(table.getName()));
        }
    }

    @Test
    void testChangedProperty()
    {
        try (TestTable table = newTrinoTable("changed_property", "WITH (segment_size = '8kB') AS " + ROWS)) {
            assertNotIndexed("SELECT * FROM %s WHERE k = 77".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s SET PROPERTIES indexed_by = ARRAY['k', 'id']".formatted(table.getName()));
            assertNotIndexed("SELECT * FROM %s WHERE k = 77".formatted(table.getName()));
            assertUpdate("INSERT INTO %s SELECT id + 1000000, k, s, d FROM (%s)".formatted(table.getName(), ROWS), 100_000);
            assertSame("SELECT * FROM %s WHERE k = 77".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s RENAME COLUMN k TO \"l m\"".formatted(table.getName()));
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("indexed_by = ARRAY['l m','id']");
            assertSame("SELECT * FROM %s WHERE \"l m\" = 77".formatted(table.getName()));
            assertQueryFails("ALTER TABLE %s DROP COLUMN \"l m\"".formatted(table.getName()), "Column 'l m' cannot be dropped, because it has an index. Change the table property indexed_by first");
            assertUpdate("ALTER TABLE %s SET PROPERTIES indexed_by = DEFAULT".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s DROP COLUMN \"l m\"".formatted(table.getName()));
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).doesNotContain("indexed_by");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testProcedures(String layout)
    {
        try (TestTable table = newTrinoTable("procedures", "WITH (layout = '%s', segment_size = '8kB', row_group_rows = 40000) AS %s".formatted(layout, ROWS))) {
            assertUpdate("DELETE FROM %s WHERE mod(id, 1000) = 500".formatted(table.getName()), 100);
            String query = "SELECT * FROM %s WHERE k BETWEEN 70 AND 80".formatted(table.getName());
            assertNotIndexed(query);
            int rowGroups = (int) (long) computeScalar("SELECT count(*) FROM \"%s$files\"".formatted(table.getName()));
            assertThat(rowGroups).isGreaterThan(2);
            String places = "SELECT count(*), checksum(ROW(\"$row_group\", \"$row_position\", id, k, s, d)) FROM " + table.getName();
            Object before = computeActual(places).getMaterializedRows();

            assertThat((String) computeScalar("EXPLAIN ALTER TABLE %s EXECUTE add_index(columns => ARRAY['K', 's'])".formatted(table.getName()))).contains("albis:add_index:", "columns => ARRAY['k', 's']");
            assertThat(execute(table.getName(), "add_index(columns => ARRAY['K', 's'])")).containsEntry("written_row_groups_count", (long) rowGroups).containsEntry("unchanged_row_groups_count", 0L);
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("indexed_by = ARRAY['k','s']");
            assertThat(computeActual(places).getMaterializedRows()).isEqualTo(before);
            assertIndexed(query);
            assertIndexed("SELECT count(*), sum(id) FROM %s WHERE s = 'text 17'".formatted(table.getName()));
            // again, when all or some of the row groups have the indexes
            assertThat(execute(table.getName(), "add_index(columns => ARRAY['k'])")).containsEntry("written_row_groups_count", 0L).containsEntry("unchanged_row_groups_count", (long) rowGroups);
            assertUpdate("INSERT INTO %s SELECT id + 1000000, k, s, d FROM (%s) WHERE id < 1000".formatted(table.getName(), ROWS), 999);
            assertThat(execute(table.getName(), "add_index(columns => ARRAY['d'])")).containsEntry("unchanged_row_groups_count", 0L);
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("indexed_by = ARRAY['k','s','d']");
            assertIndexed("SELECT count(*), sum(id) FROM %s WHERE d = 3500e0".formatted(table.getName()));

            assertThat(execute(table.getName(), "drop_index(columns => ARRAY['k', 'd'])")).containsEntry("unchanged_row_groups_count", 0L);
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("indexed_by = ARRAY['s']");
            assertNotIndexed(query);
            assertIndexed("SELECT count(*), sum(id) FROM %s WHERE s = 'text 17'".formatted(table.getName()));
            assertThat(execute(table.getName(), "drop_index(columns => ARRAY['k'])")).containsEntry("written_row_groups_count", 0L);
        }
    }

    /**
     * A predicate selects the row groups that are written.
     */
    @Test
    void testProceduresOnSomeRowGroups()
    {
        try (TestTable table = newTrinoTable("some_row_groups", "(id bigint, k bigint)")) {
            for (int part = 0; part < 3; part++) {
                assertUpdate(SortedLoad.session(getSession()), "INSERT INTO %s SELECT %s + id, mod(k, 100000) FROM (%s) WHERE id <= 10000".formatted(table.getName(), part * 100_000, ROWS), 10_000);
            }
            String procedure = "ALTER TABLE %s EXECUTE add_index(columns => ARRAY['k']) WHERE ".formatted(table.getName());
            assertThatThrownBy(() -> computeActual(procedure + "id + k > 5"))
                    .hasMessage("Unexpected FilterNode found in plan; probably connector was not able to handle provided WHERE expression");
            Map<String, Long> metrics = metrics(procedure + "id BETWEEN 100000 AND 200000");
            assertThat(metrics).containsEntry("written_row_groups_count", 1L);
            metrics = metrics("ALTER TABLE %s EXECUTE add_index(columns => ARRAY['k'])".formatted(table.getName()));
            assertThat(metrics).containsEntry("written_row_groups_count", 2L).containsEntry("unchanged_row_groups_count", 1L);
        }
    }

    @Test
    void testProceduresOnPartitions()
    {
        try (TestTable table = newTrinoTable("partitions", "WITH (segment_size = '8kB', partitioned_by = ARRAY['p']) AS SELECT *, mod(id, 3) p FROM (%s)".formatted(ROWS))) {
            assertThat(metrics("ALTER TABLE %s EXECUTE add_index(columns => ARRAY['k']) WHERE p = 1".formatted(table.getName()))).containsEntry("written_row_groups_count", 1L);
            assertIndexed("SELECT * FROM %s WHERE k BETWEEN 70 AND 80 AND p = 1".formatted(table.getName()));
            assertThat(execute(table.getName(), "add_index(columns => ARRAY['k'])")).containsEntry("written_row_groups_count", 2L).containsEntry("unchanged_row_groups_count", 1L);
            assertThat(query("SELECT partition.p, record_count FROM \"%s$partitions\"".formatted(table.getName()))).matches("SELECT p, count(*) FROM %s GROUP BY p".formatted(table.getName()));
            assertIndexed("SELECT * FROM %s WHERE k BETWEEN 70 AND 80".formatted(table.getName()));
        }
    }

    @Test
    void testProceduresOnMaterializedView()
    {
        String name = "indexed_view_" + randomNameSuffix();
        assertUpdate("CREATE MATERIALIZED VIEW %s WITH (segment_size = '8kB') AS %s".formatted(name, ROWS));
        assertUpdate("REFRESH MATERIALIZED VIEW " + name, 100_000);
        assertThat(metrics("ALTER TABLE \"%s$storage\" EXECUTE add_index(columns => ARRAY['k'])".formatted(name))).containsEntry("unchanged_row_groups_count", 0L);
        assertIndexed("SELECT * FROM %s WHERE k BETWEEN 70 AND 80".formatted(name));
        assertUpdate("DROP MATERIALIZED VIEW " + name);
    }

    /**
     * The index of a column that was widened is written again, because queries cannot use the old one.
     */
    @Test
    void testProceduresOnWidenedColumn()
    {
        try (TestTable table = newTrinoTable("widened_index", "WITH (segment_size = '8kB', indexed_by = ARRAY['k']) AS SELECT id, CAST(k AS integer) k FROM (%s)".formatted(ROWS))) {
            assertUpdate("ALTER TABLE %s ALTER COLUMN k SET DATA TYPE bigint".formatted(table.getName()));
            String query = "SELECT * FROM %s WHERE k = 77".formatted(table.getName());
            assertNotIndexed(query);
            assertThat(execute(table.getName(), "add_index(columns => ARRAY['k'])")).containsEntry("unchanged_row_groups_count", 0L);
            assertIndexed(query);
            assertUpdate("ALTER TABLE %s ADD COLUMN later bigint DEFAULT 5".formatted(table.getName()));
            // no row group stores the column
            assertThat(execute(table.getName(), "add_index(columns => ARRAY['later'])")).containsEntry("written_row_groups_count", 0L);
            assertSame("SELECT count(*) FROM %s WHERE later = 5 AND k < 100".formatted(table.getName()));
        }
    }

    @Test
    void testProcedureErrors()
    {
        try (TestTable table = newTrinoTable("procedure_errors", "(a bigint, b array(bigint))")) {
            String execute = "ALTER TABLE %s EXECUTE ".formatted(table.getName());
            assertTrinoExceptionThrownBy(() -> computeActual(execute + "add_index"))
                    .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                    .hasMessage("The argument columns must name at least one column, such as columns => ARRAY['a']");
            assertTrinoExceptionThrownBy(() -> computeActual(execute + "drop_index(columns => ARRAY[])"))
                    .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                    .hasMessage("The argument columns must name at least one column, such as columns => ARRAY['a']");
            assertTrinoExceptionThrownBy(() -> computeActual(execute + "add_index(columns => ARRAY['c'])"))
                    .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                    .hasMessage("The argument columns names column 'c', which the table does not have; its columns are: a, b");
            assertTrinoExceptionThrownBy(() -> computeActual(execute + "add_index(columns => ARRAY['b'])"))
                    .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                    .hasMessage("The argument columns names column 'b', but a column of type array(bigint) cannot have an index");
            assertTrinoExceptionThrownBy(() -> computeActual(execute + "add_index(columns => ARRAY[NULL])"))
                    .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                    .hasMessageContaining("The argument columns contains NULL");
        }
    }

    private Map<String, Long> execute(String table, String procedure)
    {
        return metrics("ALTER TABLE %s EXECUTE %s".formatted(table, procedure));
    }

    /**
     * Runs a statement and returns the numbers that it returns.
     */
    private Map<String, Long> metrics(@Language("SQL") String statement)
    {
        return computeActual(statement).getMaterializedRows().stream()
                .collect(toImmutableMap(row -> (String) row.getField(0), row -> (Long) row.getField(1)));
    }

    /**
     * A dynamic filter that is complete when a row group is opened uses the index.
     */
    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testDynamicFilter(String layout)
    {
        try (TestTable table = newTrinoTable("joined", "WITH (layout = '%s', segment_size = '8kB', indexed_by = ARRAY['k']) AS %s".formatted(layout, ROWS));
                TestTable keys = newTrinoTable("keys", "AS SELECT * FROM (VALUES BIGINT '77', 5000, 99999, 200000) t (k)")) {
            String query = "SELECT t.* FROM %s t JOIN %s s ON t.k = s.k".formatted(table.getName(), keys.getName());
            assertThat(computeActual(waiting(true), query).getMaterializedRows()).hasSize(3).containsExactlyInAnyOrderElementsOf(computeActual(waiting(false), query).getMaterializedRows());
            assertThat(metric(waiting(true), query, "Albis rows excluded by indexes")).isGreaterThan(90_000);
            assertThat(metric(waiting(false), query, "Albis rows excluded by indexes")).isZero();
            // with a filter of the predicate that uses an index, too
            query += " WHERE t.k < 6000 AND t.id > 10";
            assertThat(computeActual(waiting(true), query).getMaterializedRows()).hasSize(2).containsExactlyInAnyOrderElementsOf(computeActual(waiting(false), query).getMaterializedRows());
        }
    }

    private Session waiting(boolean indexes)
    {
        return Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, DYNAMIC_FILTERING_WAIT_TIMEOUT, "1m")
                .setCatalogSessionProperty(CATALOG, INDEX_ENABLED, String.valueOf(indexes))
                .build();
    }

    @Test
    void testWidenedColumn()
    {
        try (TestTable table = newTrinoTable("widened", "WITH (indexed_by = ARRAY['k']) AS SELECT id, CAST(k AS integer) k FROM (%s)".formatted(ROWS))) {
            assertUpdate("ALTER TABLE %s ALTER COLUMN k SET DATA TYPE bigint".formatted(table.getName()));
            assertSame("SELECT * FROM %s WHERE k = 77".formatted(table.getName()));
            assertUpdate("INSERT INTO %s VALUES (1000000, 77), (1000001, 10000000000)".formatted(table.getName()), 2);
            assertSame("SELECT * FROM %s WHERE k IN (77, 10000000000)".formatted(table.getName()));
        }
    }

    /**
     * An index that is damaged is named, and the table can be read without it. Writing the index again repairs it.
     */
    @Test
    void testDamage()
            throws IOException
    {
        assertUpdate("CREATE SCHEMA damaged");
        assertUpdate(SortedLoad.session(getSession()), "CREATE TABLE damaged.indexed WITH (indexed_by = ARRAY['k']) AS " + ROWS, 100_000);
        String query = "SELECT * FROM damaged.indexed WHERE k = 77";
        assertSame(query);
        Path file;
        try (Stream<Path> files = Files.walk(AlbisQueryRunner.warehouse(getDistributedQueryRunner()).resolve("damaged"))) {
            file = files.filter(path -> path.endsWith("data")).findFirst().orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(file);
        // the positions of the values are the last bytes, and there are four bytes for each value
        Arrays.fill(bytes, bytes.length - 400_000, bytes.length - 64, (byte) 7);
        Files.write(file, bytes);
        assertTrinoExceptionThrownBy(() -> computeActual(query))
                .hasErrorCode(ALBIS_BAD_DATA)
                .hasMessageContaining("positions of the index of column k");
        assertQuery(scanning(), query, "VALUES (43378, 77, 'text 3914', 3834e0)");
        computeActual("ALTER TABLE damaged.indexed EXECUTE drop_index(columns => ARRAY['k'])");
        assertQuery(query, "VALUES (43378, 77, 'text 3914', 3834e0)");
        computeActual("ALTER TABLE damaged.indexed EXECUTE add_index(columns => ARRAY['k'])");
        assertSame(query);
        assertUpdate("DROP TABLE damaged.indexed");
        assertUpdate("DROP SCHEMA damaged");
    }

    @Test
    void testErrors()
    {
        assertTrinoExceptionThrownBy(() -> computeActual("CREATE TABLE failed (a bigint) WITH (indexed_by = ARRAY['b'])"))
                .hasErrorCode(INVALID_TABLE_PROPERTY)
                .hasMessage("indexed_by names column 'b', which the table does not have; its columns are: a");
        assertTrinoExceptionThrownBy(() -> computeActual("CREATE TABLE failed (a bigint) WITH (indexed_by = ARRAY['a', 'A'])"))
                .hasErrorCode(INVALID_TABLE_PROPERTY)
                .hasMessage("indexed_by names column 'a' twice");
        assertTrinoExceptionThrownBy(() -> computeActual("CREATE TABLE failed (a array(bigint)) WITH (indexed_by = ARRAY['a'])"))
                .hasErrorCode(INVALID_TABLE_PROPERTY)
                .hasMessage("indexed_by names column 'a', but a column of type array(bigint) cannot have an index");
        assertTrinoExceptionThrownBy(() -> computeActual("CREATE TABLE failed (a bigint) WITH (indexed_by = ARRAY[NULL])"))
                .hasErrorCode(INVALID_TABLE_PROPERTY)
                .hasMessageContaining("indexed_by contains NULL");
    }

    /**
     * Checks that fewer segments are read with the index. Segments are small, so that most of them have no row that
     * matches.
     */
    private void assertIndexed(@Language("SQL") String query)
    {
        assertSame(query);
        assertThat((String) computeScalar("EXPLAIN " + query)).contains(" indexes on [");
        assertThat((String) computeScalar(scanning(), "EXPLAIN " + query)).doesNotContain("indexes on");
        assertThat(metric(getSession(), query, "Albis rows excluded by indexes")).isPositive();
        assertThat(metric(scanning(), query, "Albis rows excluded by indexes")).isZero();
        assertThat(rowsRead(getSession(), query)).isLessThan(rowsRead(scanning(), query));
    }

    private void assertNotIndexed(@Language("SQL") String query)
    {
        assertSame(query);
        assertThat(rowsRead(getSession(), query)).isEqualTo(rowsRead(scanning(), query));
    }

    private void assertSame(@Language("SQL") String query)
    {
        assertThat(computeActual(query).getMaterializedRows()).containsExactlyInAnyOrderElementsOf(computeActual(scanning(), query).getMaterializedRows());
    }

    private Session scanning()
    {
        return Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, INDEX_ENABLED, "false")
                .build();
    }

    private long rowsRead(Session session, @Language("SQL") String query)
    {
        return metric(session, query, "Albis rows");
    }

    private long metric(Session session, @Language("SQL") String query, String name)
    {
        String plan = (String) computeActual(session, "EXPLAIN ANALYZE VERBOSE " + query).getOnlyValue();
        Matcher matcher = Pattern.compile("'%s' = LongCount\\{total=(\\d+)\\}".formatted(name)).matcher(plan);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }
}
