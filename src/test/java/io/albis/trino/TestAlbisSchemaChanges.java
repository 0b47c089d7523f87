package io.albis.trino;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Sets;
import io.albis.format.type.ScalarType;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
            assertQueryFails("ALTER TABLE %s ADD COLUMN x timestamp(3) with time zone DEFAULT TIMESTAMP '2020-01-01 00:00:00'".formatted(name), "A column of type timestamp\\(3\\) with time zone with the default value .* cannot be added. Add it without a default value, update its rows, and then set the default value");
            assertQueryFails("ALTER TABLE %s ADD COLUMN x bigint AFTER \"$path\"".formatted(name), "Column '\\$path' does not exist, or is hidden");
            assertQueryFails("ALTER TABLE %s RENAME COLUMN name TO \"$row_group\"".formatted(name), ".* already exists");
            assertQueryFails("ALTER TABLE %s ALTER COLUMN id SET DATA TYPE smallint".formatted(name), "The type of column 'id' cannot be changed from integer to smallint.*");
            assertQueryFails("ALTER TABLE %s ALTER COLUMN id SET DATA TYPE HyperLogLog".formatted(name), "Column 'id' has type HyperLogLog, which an Albis table cannot hold.*");
            assertQueryFails("ALTER TABLE %s ALTER COLUMN \"$path\" SET DATA TYPE varchar".formatted(name), "Column \\$path:varchar is hidden, and a hidden column cannot be changed");
        }
    }

    /**
     * Rows that exist have the same values as those that are inserted later, with every type.
     */
    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testDefaultsOfAllTypes(String layout)
    {
        Map<String, String> defaults = ImmutableMap.<String, String>builder()
                .put("boolean", "true")
                .put("tinyint", "-7")
                .put("smallint", "700")
                .put("integer", "70000")
                .put("bigint", "7000000000")
                .put("real", "REAL '0.1'")
                .put("double", "1.5E0")
                .put("decimal(10, 2)", "1.25")
                .put("decimal(30, 2)", "-1.25")
                .put("date", "DATE '2020-02-29'")
                .put("time(3)", "TIME '01:02:03.5'")
                .put("time(6) with time zone", "TIME '01:02:03.5+02:00'")
                .put("time(12) with time zone", "TIME '01:02:03.5-08:30'")
                .put("timestamp(6)", "TIMESTAMP '2020-01-01 00:00:00.5'")
                .put("timestamp(9)", "TIMESTAMP '2020-01-01 00:00:00.123456789'")
                .put("timestamp(3) with time zone", "TIMESTAMP '2020-01-01 00:00:00 Europe/Berlin'")
                .put("timestamp(6) with time zone", "TIMESTAMP '2020-01-01 00:00:00 UTC'")
                .put("timestamp(12) with time zone", "TIMESTAMP '2020-01-01 00:00:00.123456789+05:30'")
                .put("char(5)", "'a'")
                .put("varchar", "'it''s'")
                .put("varbinary", "X'00FF'")
                .put("uuid", "UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'")
                .put("json", "JSON '{\"b\": [1, 2.50, 1e3], \"a\": \"ä\"}'")
                .put("ipaddress", "IPADDRESS '1.2.3.4'")
                .buildOrThrow();
        assertThat(defaults.keySet().stream().map(type -> type.replaceAll("\\([0-9, ]+\\)", "")).distinct())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(ScalarType.values()).map(ScalarType::baseName).toList());
        try (TestTable table = new TestTable(getQueryRunner()::execute, "all_defaults", "WITH (layout = '%s') AS SELECT 1 id".formatted(layout))) {
            String name = table.getName();
            List<String> texts = new ArrayList<>();
            List<String> predicates = new ArrayList<>();
            defaults.forEach((type, literal) -> {
                String column = "c" + texts.size();
                assertUpdate("ALTER TABLE %s ADD COLUMN %s %s DEFAULT %s".formatted(name, column, type, literal));
                predicates.add("%s = %s".formatted(column, literal));
                texts.add(switch (type) {
                    case "varbinary" -> "to_hex(%s)".formatted(column);
                    case "json" -> "json_format(%s)".formatted(column);
                    default -> "CAST(%s AS varchar)".formatted(column);
                });
            });
            assertUpdate("INSERT INTO %s (id) VALUES 2".formatted(name), 1);
            List<MaterializedRow> rows = computeActual("SELECT %s FROM %s ORDER BY id".formatted(String.join(", ", texts), name)).getMaterializedRows();
            assertThat(rows).hasSize(2);
            assertThat(rows.getFirst().getFields()).doesNotContainNull().isEqualTo(rows.getLast().getFields());
            assertQuery("SELECT id FROM %s WHERE %s".formatted(name, String.join(" AND ", predicates)), "VALUES 1, 2");
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

    /**
     * Columns join the only column group of a table. Row groups that exist get a column group for each when it is
     * filled, and regroup merges these.
     */
    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testAddColumnsToOnlyGroup(String layout)
            throws IOException
    {
        try (TestTable table = newTable(", layout = '%s', column_groups = ARRAY[ARRAY['id', 'name', 'quarter']]".formatted(layout))) {
            String name = table.getName();
            for (int column = 1; column <= 7; column++) {
                assertUpdate("ALTER TABLE %s ADD COLUMN added%s bigint DEFAULT %s".formatted(name, column, column));
            }
            assertThat((String) computeScalar("SHOW CREATE TABLE " + name)).contains("column_groups = ARRAY[ARRAY['id','name','quarter','added1','added2','added3','added4','added5','added6','added7']]");
            assertUpdate("INSERT INTO %s (id, added2) VALUES (1001, 20)".formatted(name), 1);
            assertThat(query("SELECT summary['added-files'] FROM \"%s$snapshots\" ORDER BY snapshot_id DESC LIMIT 1".formatted(name))).matches("VALUES VARCHAR '2'");
            Set<Path> before = files();
            assertUpdate("UPDATE %s SET added1 = 2 * id WHERE id <= %s".formatted(name, ROWS), ROWS);
            assertThat(newFiles(before, "data")).hasSize(ROW_GROUPS);
            assertThat(newFiles(before, "metadata")).hasSize(ROW_GROUPS);
            String query = "SELECT count(*), sum(id), count(name), sum(added1), sum(added2), sum(added7) FROM " + name;
            String expected = "VALUES (1001, 501501, 1000, 1001001, 2020, 7007)";
            assertQuery(query, expected);
            assertQuery("SELECT * FROM %s WHERE added1 = 14".formatted(name), "VALUES (7, 'name 7', 1.75, 14, 2, 3, 4, 5, 6, 7)");
            before = files();
            computeActual("ALTER TABLE %s EXECUTE regroup(column_groups => ARRAY[ARRAY['id', 'name', 'quarter', 'added1', 'added2', 'added3', 'added4', 'added5', 'added6', 'added7']])".formatted(name));
            assertThat(newFiles(before, "data")).hasSize(ROW_GROUPS);
            assertQuery(query, expected);
        }
    }

    @Test
    void testAddColumnToSingleColumn()
    {
        // the default grouping of this catalog is one group for each column
        try (TestTable table = new TestTable(getQueryRunner()::execute, "single_column", "(a bigint)")) {
            assertUpdate("ALTER TABLE %s ADD COLUMN b bigint".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s ADD COLUMN c bigint AFTER a".formatted(table.getName()));
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).doesNotContain("column_groups");
            assertUpdate("INSERT INTO %s VALUES (1, 2, 3)".formatted(table.getName()), 1);
            assertThat(query("SELECT summary['added-files'] FROM \"%s$snapshots\" ORDER BY snapshot_id DESC LIMIT 1".formatted(table.getName()))).matches("VALUES VARCHAR '6'");
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
