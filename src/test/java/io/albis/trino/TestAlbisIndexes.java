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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.config.AlbisSessionProperties.INDEX_ENABLED;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_BAD_DATA;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table property indexed_by.
 */
final class TestAlbisIndexes
        extends AbstractTestQueryFramework
{
    private static final String ROWS = "SELECT n id, mod(n * 7919, 100003) k, IF(mod(n, 50) = 0, NULL, 'text ' || CAST(mod(n * 31, 5003) AS varchar)) s, CAST(mod(n * 13, 7001) AS double) d FROM UNNEST(sequence(1, 10000)) a (i) CROSS JOIN UNNEST(sequence(0, 9)) b (j) CROSS JOIN LATERAL (SELECT j * 10000 + i n)";
    private static final Pattern ROWS_READ = Pattern.compile("'Albis rows' = LongCount\\{total=(\\d+)\\}");

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
     * An index that is damaged is named, and the table can be read without it.
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
                .hasMessageContaining("positions of the index");
        assertQuery(scanning(), query, "VALUES (43378, 77, 'text 3914', 3834e0)");
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
        String plan = (String) computeActual(session, "EXPLAIN ANALYZE VERBOSE " + query).getOnlyValue();
        Matcher matcher = ROWS_READ.matcher(plan);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }
}
