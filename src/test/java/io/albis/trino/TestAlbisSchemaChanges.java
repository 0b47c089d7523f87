package io.albis.trino;

import com.google.common.collect.Sets;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

/**
 * ALTER TABLE changes columns without writing files of row groups, and queries read old row groups with the new
 * columns.
 */
final class TestAlbisSchemaChanges
        extends AbstractTestQueryFramework
{
    private static final int ROW_GROUPS = 4;
    private static final int ROWS = 1000;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .addAlbisProperty("albis.default-column-groups", "COLUMN")
                .build();
    }

    /**
     * Creates a table of row groups with ascending, disjoint ranges of ids from 1 to 1000.
     */
    private TestTable newTable(String properties)
    {
        Session session = SortedLoad.session(getSession());
        return new TestTable(
                sql -> getQueryRunner().execute(session, sql),
                "schema_changes",
                "WITH (row_group_rows = 250%s) AS SELECT CAST(id AS integer) id, 'name ' || CAST(id AS varchar) name, CAST(id AS real) / 4 quarter FROM UNNEST(sequence(1, %s)) t (id) ORDER BY id".formatted(properties, ROWS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testAddColumn(String layout)
            throws IOException
    {
        try (TestTable table = newTable(", layout = '%s'".formatted(layout))) {
            String name = table.getName();
            Set<Path> before = files();
            assertUpdate("ALTER TABLE %s ADD COLUMN added bigint DEFAULT 42 NOT NULL COMMENT 'new' AFTER id".formatted(name));
            assertUpdate("ALTER TABLE %s ADD COLUMN nullable varchar FIRST".formatted(name));
            assertOnlyVersions(before);
            assertQuery("SELECT count(*), sum(added), count(nullable), max(id) FROM " + name, "VALUES (1000, 42000, 0, 1000)");
            assertQuery("SELECT * FROM %s WHERE id = 8".formatted(name), "VALUES (NULL, 8, 42, 'name 8', 2.0)");
            assertQuery("SELECT id FROM %s WHERE added = 42 AND nullable IS NULL AND id < 3".formatted(name), "VALUES 1, 2");
            assertQueryReturnsEmptyResult("SELECT id FROM %s WHERE added <> 42".formatted(name));
            assertQueryReturnsEmptyResult("SELECT id FROM %s WHERE nullable = 'x'".formatted(name));
            assertQuery("SELECT count(*) FROM %s WHERE added BETWEEN 40 AND 50".formatted(name), "VALUES 1000");
            assertQuery("SELECT DISTINCT added, nullable FROM " + name, "VALUES (42, NULL)");
            assertQuery("SELECT count(*) FROM %s t JOIN (VALUES 42, 43) v (x) ON t.added = v.x".formatted(name), "VALUES 1000");
            assertQueryFails("INSERT INTO %s (id, added) VALUES (1, NULL)".formatted(name), "NULL value not allowed for NOT NULL column: added");
            assertUpdate("INSERT INTO %s (id) VALUES 1001".formatted(name), 1);
            assertUpdate("INSERT INTO %s VALUES ('x', 1002, 43, 'y', REAL '1.5')".formatted(name), 1);
            assertQuery("SELECT * FROM %s WHERE id > 999".formatted(name), "VALUES (NULL, 1000, 42, 'name 1000', 250.0), (NULL, 1001, 42, NULL, NULL), ('x', 1002, 43, 'y', 1.5)");
            assertUpdate("ALTER TABLE %s ALTER COLUMN added DROP DEFAULT".formatted(name));
            // rows that exist keep the value
            assertQuery("SELECT count(*) FROM %s WHERE added = 42".formatted(name), "VALUES 1001");
            assertQueryFails("INSERT INTO %s (id) VALUES 1003".formatted(name), "NULL value not allowed for NOT NULL column: added");
            assertQuery("SELECT * FROM %s FOR VERSION AS OF 1 WHERE id = 8".formatted(name), "VALUES (8, 'name 8', 2.0)");
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(1)".formatted(name));
            assertQuery("SELECT * FROM %s WHERE id = 8".formatted(name), "VALUES (8, 'name 8', 2.0)");
        }
    }

    @Test
    void testAddColumnErrors()
    {
        try (TestTable table = newTable("")) {
            String name = table.getName();
            assertQueryFails("ALTER TABLE %s ADD COLUMN x bigint NOT NULL".formatted(name), "Column 'x' cannot be NOT NULL without a default value, because the table has rows. Add the column with a DEFAULT that is not null");
            assertQueryFails("ALTER TABLE %s ADD COLUMN x bigint DEFAULT NULL NOT NULL".formatted(name), "Column 'x' cannot be NOT NULL without a default value, because the table has rows. Add the column with a DEFAULT that is not null");
            assertQueryFails("ALTER TABLE %s ADD COLUMN \"$path\" bigint".formatted(name), ".* already exists");
            assertQueryFails("ALTER TABLE %s ADD COLUMN x array(HyperLogLog)".formatted(name), "Column 'x' has type array\\(HyperLogLog\\), which an Albis table cannot hold.*");
            assertQueryFails("ALTER TABLE %s ADD COLUMN x timestamp(3) with time zone DEFAULT TIMESTAMP '2020-01-01 00:00:00 UTC'".formatted(name), "A column of type timestamp\\(3\\) with time zone with the default value .* cannot be added. Add it without a default value, update its rows, and then set the default value");
            assertQueryFails("ALTER TABLE %s ADD COLUMN x bigint AFTER \"$path\"".formatted(name), "Column '\\$path' does not exist, or is hidden");
            assertQueryFails("ALTER TABLE %s RENAME COLUMN name TO \"$row_group\"".formatted(name), ".* already exists");
            assertQueryFails("ALTER TABLE %s ALTER COLUMN id SET DATA TYPE smallint".formatted(name), "The type of column 'id' cannot be changed from integer to smallint.*");
            assertQueryFails("ALTER TABLE %s ALTER COLUMN id SET DATA TYPE HyperLogLog".formatted(name), "Column 'id' has type HyperLogLog, which an Albis table cannot hold.*");
            assertQueryFails("ALTER TABLE %s ALTER COLUMN \"$path\" SET DATA TYPE varchar".formatted(name), "Column \\$path:varchar is hidden, and a hidden column cannot be changed");
        }
    }

    /**
     * An UPDATE of a new column writes one column group for each row group, and nothing else.
     */
    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testFillColumn(String layout)
            throws IOException
    {
        try (TestTable table = newTable(", layout = '%s'".formatted(layout))) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %s ADD COLUMN doubled bigint".formatted(name));
            assertUpdate("DELETE FROM %s WHERE id = 500".formatted(name), 1);
            Set<Path> before = files();
            assertUpdate("UPDATE %s SET doubled = 2 * id".formatted(name), ROWS - 1);
            assertThat(newFiles(before, "data")).hasSize(ROW_GROUPS);
            assertThat(newFiles(before, "metadata")).hasSize(ROW_GROUPS);
            assertQuery("SELECT count(*), sum(doubled), sum(id), count(name) FROM " + name, "VALUES (999, 1000000, 500000, 999)");
            assertQuery("SELECT * FROM %s WHERE doubled = 14".formatted(name), "VALUES (7, 'name 7', 1.75, 14)");
            assertThat(distinctValues(name, "doubled")).isCloseTo(999, withPercentage(10));
            assertQuery("SELECT count(*), count(DISTINCT \"$row_group\") FROM " + name, "VALUES (999, 4)");
            assertQuery("SELECT operation FROM \"%s$snapshots\" ORDER BY snapshot_id DESC LIMIT 1".formatted(name), "VALUES 'overwrite'");
            // before the update
            assertQuery("SELECT count(*), count(doubled) FROM %s FOR VERSION AS OF 3".formatted(name), "VALUES (999, 0)");
            // some rows of all row groups
            before = files();
            assertUpdate("ALTER TABLE %s ADD COLUMN remainder varchar DEFAULT 'none'".formatted(name));
            assertUpdate("UPDATE %s SET remainder = CAST(id %% 3 AS varchar) WHERE id %% 3 > 0".formatted(name), 666);
            assertThat(newFiles(before, "data")).hasSize(ROW_GROUPS);
            assertQuery("SELECT remainder, count(*) FROM %s GROUP BY remainder".formatted(name), "VALUES ('none', 333), ('1', 334), ('2', 332)");
        }
    }

    @Test
    void testDropColumn()
            throws IOException
    {
        try (TestTable table = newTable(", column_groups = ARRAY[ARRAY['id', 'name'], ARRAY['quarter']]")) {
            String name = table.getName();
            Set<Path> before = files();
            assertUpdate("ALTER TABLE %s DROP COLUMN name".formatted(name));
            assertOnlyVersions(before);
            assertQuery("SELECT * FROM %s WHERE id = 8".formatted(name), "VALUES (8, 2.0)");
            // writes a column group without the dropped column
            assertUpdate("UPDATE %s SET id = -id".formatted(name), ROWS);
            assertThat(newFiles(before, "data")).hasSize(ROW_GROUPS);
            assertQuery("SELECT * FROM %s WHERE id = -8".formatted(name), "VALUES (-8, 2.0)");
            assertUpdate("ALTER TABLE %s DROP COLUMN quarter".formatted(name));
            assertUpdate("INSERT INTO %s VALUES 5".formatted(name), 1);
            assertUpdate("ALTER TABLE %s ADD COLUMN name varchar".formatted(name));
            assertQuery("SELECT count(*), count(name) FROM " + name, "VALUES (1001, 0)");
            assertQuery("SELECT * FROM %s FOR VERSION AS OF 1 WHERE id = 8".formatted(name), "VALUES (8, 'name 8', 2.0)");
            assertQueryFails("ALTER TABLE %s DROP COLUMN \"$path\"".formatted(name), ".* Cannot drop hidden column");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testSetType(String layout)
            throws IOException
    {
        try (TestTable table = newTable(", layout = '%s'".formatted(layout))) {
            String name = table.getName();
            Set<Path> before = files();
            assertUpdate("ALTER TABLE %s ALTER COLUMN id SET DATA TYPE bigint".formatted(name));
            assertUpdate("ALTER TABLE %s ALTER COLUMN quarter SET DATA TYPE double".formatted(name));
            assertOnlyVersions(before);
            assertUpdate("INSERT INTO %s VALUES (5000000000, 'large', 0.1)".formatted(name), 1);
            assertQuery("SELECT count(*), sum(id), max(quarter) FROM " + name, "VALUES (1001, 5000500500, 250.0)");
            assertQuery("SELECT * FROM %s WHERE id IN (8, 5000000000)".formatted(name), "VALUES (8, 'name 8', 2.0), (5000000000, 'large', 0.1)");
            assertQuery("SELECT id FROM %s WHERE quarter = 2.0".formatted(name), "VALUES 8");
            assertQuery("SELECT id FROM %s WHERE quarter < 0.2".formatted(name), "VALUES 5000000000");
            // bounds that were written with the old type still prune row groups
            assertThat(query("SELECT count(*) FROM \"%s$files\" WHERE lower_bounds.\"1\" = 251 AND upper_bounds.\"3\" = 125.0".formatted(name))).matches("VALUES BIGINT '1'");
            assertUpdate("UPDATE %s SET id = id + 1 WHERE id < 100".formatted(name), 99);
            assertUpdate("UPDATE %s SET quarter = quarter * 2".formatted(name), 1001);
            assertQuery("SELECT count(*), sum(id), max(quarter) FROM " + name, "VALUES (1001, 5000500599, 500.0)");
            assertQuery("SELECT * FROM %s FOR VERSION AS OF 1 WHERE id = 8".formatted(name), "VALUES (8, 'name 8', 2.0)");
        }
    }

    @Test
    void testDefaults()
    {
        try (TestTable table = new TestTable(getQueryRunner()::execute, "defaults", "(id bigint, a varchar DEFAULT 'it''s', b decimal(5,2) DEFAULT 1.5 NOT NULL, c date)")) {
            String name = table.getName();
            assertThat((String) computeScalar("SHOW CREATE TABLE " + name)).contains("a varchar DEFAULT 'it''s'", "b decimal(5, 2) DEFAULT DECIMAL '1.5' NOT NULL");
            assertUpdate("INSERT INTO %s (id) VALUES 1".formatted(name), 1);
            assertUpdate("ALTER TABLE %s ALTER COLUMN c SET DEFAULT DATE '2026-11-23'".formatted(name));
            assertUpdate("ALTER TABLE %s ALTER COLUMN a DROP DEFAULT".formatted(name));
            assertUpdate("INSERT INTO %s (id) VALUES 2".formatted(name), 1);
            assertUpdate("MERGE INTO %s t USING (VALUES 3) s (id) ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)".formatted(name), 1);
            assertQuery("TABLE " + name, "VALUES (1, 'it''s', 1.50, NULL), (2, NULL, 1.50, DATE '2026-11-23'), (3, NULL, 1.50, DATE '2026-11-23')");
        }
    }

    @Test
    void testNotNull()
    {
        try (TestTable table = newTable("")) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %s EXECUTE set_not_null(column_name => 'name')".formatted(name));
            assertQueryFails("INSERT INTO %s (id) VALUES 1".formatted(name), "NULL value not allowed for NOT NULL column: name");
            assertUpdate("ALTER TABLE %s ALTER COLUMN name DROP NOT NULL".formatted(name));
            assertUpdate("INSERT INTO %s (id) VALUES 1001".formatted(name), 1);
            assertQueryFails("ALTER TABLE %s EXECUTE set_not_null(column_name => 'name')".formatted(name), "Column 'name' cannot be NOT NULL, because it is null in some rows");
            assertUpdate("INSERT INTO %s (id, name) VALUES (1002, 'x'), (1003, NULL)".formatted(name), 2);
            // the statistics of a row group include deleted rows
            assertUpdate("DELETE FROM %s WHERE id IN (1001, 1003)".formatted(name), 2);
            assertUpdate("ALTER TABLE %s EXECUTE set_not_null(column_name => 'name')".formatted(name));
            assertQuery("SELECT column_name, is_nullable FROM information_schema.columns WHERE table_name = '%s'".formatted(name), "VALUES ('id', 'YES'), ('name', 'NO'), ('quarter', 'YES')");
            assertUpdate("ALTER TABLE %s ALTER COLUMN name DROP NOT NULL".formatted(name));
            assertUpdate("ALTER TABLE %s EXECUTE set_not_null(column_name => 'NAME')".formatted(name));
            assertQueryFails("ALTER TABLE %s EXECUTE set_not_null(column_name => 'x')".formatted(name), "The table has no column 'x'");
            assertQueryFails("ALTER TABLE %s EXECUTE set_not_null".formatted(name), "Required procedure argument 'column_name' is missing");
        }
    }

    private double distinctValues(String table, String column)
    {
        return computeActual("SHOW STATS FOR " + table).getMaterializedRows().stream()
                .filter(row -> column.equals(row.getField(0)))
                .map(row -> (double) row.getField(2))
                .findFirst()
                .orElseThrow();
    }

    private Set<Path> newFiles(Set<Path> before, String fileName)
            throws IOException
    {
        return Sets.difference(files(), before).stream()
                .filter(file -> file.endsWith(fileName))
                .collect(toImmutableSet());
    }

    private void assertOnlyVersions(Set<Path> before)
            throws IOException
    {
        assertThat(Sets.difference(files(), before)).isNotEmpty().noneMatch(file -> file.toString().contains("/rg-") || file.toString().contains("/manifests/"));
    }

    private Set<Path> files()
            throws IOException
    {
        try (Stream<Path> files = Files.walk(((DistributedQueryRunner) getQueryRunner()).getCoordinator().getBaseDataDir().resolve("albis"))) {
            return files.filter(Files::isRegularFile).collect(toImmutableSet());
        }
    }
}
