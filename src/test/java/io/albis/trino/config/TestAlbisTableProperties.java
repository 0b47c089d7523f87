package io.albis.trino.config;

import com.google.common.collect.ImmutableMap;
import io.albis.trino.AlbisConnectorFactory;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ScanStatistics;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import io.trino.testing.sql.TestTable;
import org.intellij.lang.annotations.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static io.trino.testing.TestingNames.randomNameSuffix;
import static java.util.Locale.ENGLISH;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

final class TestAlbisTableProperties
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .addAlbisProperty("albis.default-column-groups", "COLUMN")
                .setWorkerCount(0)
                .build();
    }

    @Test
    void testShowCreateTableRoundTrip()
    {
        assertRoundTrip("(a bigint, b varchar, c double)", "");
        assertRoundTrip(
                "(a bigint NOT NULL COMMENT 'first', b varchar(10)) COMMENT 'all of it' WITH (row_group_size = '64MB', row_group_rows = 1000, segment_size = '512kB')",
                """

                WITH (
                   row_group_rows = 1000,
                   row_group_size = '64MB',
                   segment_size = '512kB'
                )""");
        assertRoundTrip(
                "(a bigint, b varchar, c double) WITH (compression = 'zstd', column_groups = ARRAY[ARRAY['c', 'a']], column_group_compressions = ARRAY['lz4'])",
                """

                WITH (
                   column_group_compressions = ARRAY['lz4','zstd'],
                   column_groups = ARRAY[ARRAY['c','a'],ARRAY['b']],
                   compression = 'zstd'
                )""");
        assertRoundTrip(
                "(a bigint, b varchar, c double) WITH (column_groups = ARRAY[ARRAY['C', 'a'], ARRAY['b']])",
                """

                WITH (
                   column_groups = ARRAY[ARRAY['c','a'],ARRAY['b']]
                )""");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SERIALIZABLE", "SNAPSHOT"})
    void testShowCreateTableWithIsolationLevel(String isolationLevel)
    {
        assertRoundTrip(
                "(a bigint, b varchar) WITH (isolation_level = '%s')".formatted(isolationLevel.toLowerCase(ENGLISH)),
                """

                WITH (
                   isolation_level = '%s'
                )""".formatted(isolationLevel));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "lz4", "zstd"})
    void testShowCreateTableWithCompression(String compression)
    {
        assertRoundTrip(
                "(a bigint, b varchar) WITH (compression = '%s')".formatted(compression.toUpperCase(ENGLISH)),
                """

                WITH (
                   compression = '%s'
                )""".formatted(compression));
    }

    @ParameterizedTest
    @CsvSource({"block, lz4", "block, zstd", "row, lz4", "row, zstd"})
    void testCompression(String layout, String compression)
    {
        assertThat(writtenBytes(layout, compression)).isLessThan(writtenBytes(layout, "none") * 3 / 4);
    }

    /**
     * Returns the size of the files of a table with inserted rows, after it has checked that queries return them.
     */
    private long writtenBytes(String layout, String compression)
    {
        String table = "compressed_" + randomNameSuffix();
        assertUpdate("CREATE TABLE %s (LIKE tpch.tiny.customer) WITH (layout = '%s', compression = '%s')".formatted(table, layout, compression));
        MaterializedResultWithPlan insert = getDistributedQueryRunner().executeWithPlan(getSession(), "INSERT INTO %s SELECT * FROM tpch.tiny.customer ORDER BY custkey".formatted(table));
        assertThat(query("TABLE " + table)).matches("TABLE tpch.tiny.customer");
        assertThat(query("SELECT custkey, comment FROM %s WHERE custkey BETWEEN 700 AND 800 AND mktsegment > 'BUILDING'".formatted(table)))
                .matches("SELECT custkey, comment FROM tpch.tiny.customer WHERE custkey BETWEEN 700 AND 800 AND mktsegment > 'BUILDING'");
        assertUpdate("DROP TABLE " + table);
        return getDistributedQueryRunner().getCoordinator().getQueryManager().getFullQueryInfo(insert.queryId()).getQueryStats().getPhysicalWrittenDataSize().toBytes();
    }

    @Test
    void testOwnerOfSchema()
    {
        assertQueryFails("CREATE SCHEMA owned AUTHORIZATION alice", "This connector does not support schemas with an owner. Create the schema without AUTHORIZATION");
        assertQueryReturnsEmptyResult("SHOW SCHEMAS LIKE 'owned'");
    }

    /**
     * The block layout stores each column contiguously, so a query may read the table several times with different
     * columns. The row layout does not.
     */
    @Test
    void testSplittingReads()
    {
        assertUpdate("CREATE TABLE blocks AS SELECT * FROM tpch.tiny.nation", 25);
        assertUpdate("CREATE TABLE rows_of_some WITH (column_groups = ARRAY[ARRAY['nationkey'], ARRAY['name']], column_group_layouts = ARRAY['block', 'row']) AS SELECT * FROM tpch.tiny.nation", 25);
        assertThat(countScans("blocks")).isEqualTo(2);
        assertThat(countScans("rows_of_some")).isEqualTo(1);
        assertUpdate("DROP TABLE blocks");
        assertUpdate("DROP TABLE rows_of_some");
    }

    private long countScans(String table)
    {
        Session session = Session.builder(getSession())
                .setSystemProperty("distinct_aggregations_strategy", "split_to_subqueries")
                .build();
        String plan = (String) computeScalar(session, "EXPLAIN SELECT count(DISTINCT nationkey), count(DISTINCT regionkey) FROM " + table);
        return plan.lines().filter(line -> line.contains("TableScan[") || line.contains("ScanProject[") || line.contains("ScanFilter")).count();
    }

    @Test
    void testLayouts()
    {
        assertRoundTrip("(a bigint, b varchar) WITH (layout = 'block')", "");
        assertRoundTrip(
                "(a bigint, b varchar) WITH (layout = 'ROW')",
                """

                WITH (
                   layout = 'row'
                )""");
        assertRoundTrip(
                "(a bigint, b varchar, c double) WITH (layout = 'row', column_groups = ARRAY[ARRAY['c', 'a']])",
                """

                WITH (
                   column_groups = ARRAY[ARRAY['c','a'],ARRAY['b']],
                   layout = 'row'
                )""");
        // Groups without a layout of their own use the layout of the table
        assertRoundTrip(
                "(a bigint, b varchar, c double) WITH (layout = 'row', column_groups = ARRAY[ARRAY['c', 'a']], column_group_layouts = ARRAY['Block'])",
                """

                WITH (
                   column_group_layouts = ARRAY['block','row'],
                   column_groups = ARRAY[ARRAY['c','a'],ARRAY['b']]
                )""");
        assertRoundTrip(
                "(a bigint, b varchar, c double) WITH (column_groups = ARRAY[ARRAY['a'], ARRAY['b']], column_group_layouts = ARRAY['block', 'row'])",
                """

                WITH (
                   column_group_layouts = ARRAY['block','row','block'],
                   column_groups = ARRAY[ARRAY['a'],ARRAY['b'],ARRAY['c']]
                )""");
        // The same groups as the defaults
        assertRoundTrip("(a bigint, b varchar) WITH (column_groups = ARRAY[ARRAY['a'], ARRAY['b']], column_group_layouts = ARRAY['block', 'block'])", "");
        assertRoundTrip("(a bigint, b varchar) WITH (column_groups = ARRAY[], column_group_layouts = ARRAY[])", "");
        // The property is set, but another property expresses the same in fewer words
        assertRoundTrip(
                "(a bigint, b varchar) WITH (column_groups = ARRAY[ARRAY['a'], ARRAY['b']], column_group_layouts = ARRAY['row', 'row'])",
                """

                WITH (
                   layout = 'row'
                )""");
    }

    @Test
    void testDefaultCompression()
    {
        getQueryRunner().createCatalog("compressed", AlbisConnectorFactory.CONNECTOR_NAME, ImmutableMap.<String, String>builder()
                .putAll(AlbisQueryRunner.catalogProperties(getDistributedQueryRunner().getCoordinator().getBaseDataDir().resolve("albis")))
                .put("albis.default-compression", "ZSTD")
                .buildOrThrow());
        assertUpdate("CREATE TABLE compressed.tpch.test_default_compression (a bigint, b varchar)");
        // The compression belongs to the table from now on
        assertThat((String) computeScalar("SHOW CREATE TABLE albis.tpch.test_default_compression")).contains("compression = 'zstd'");
        assertUpdate("DROP TABLE test_default_compression");
        assertUpdate("CREATE TABLE compressed.tpch.test_default_compression (a bigint, b varchar) WITH (compression = 'none')");
        assertThat((String) computeScalar("SHOW CREATE TABLE albis.tpch.test_default_compression")).contains("compression = 'none'");
        assertUpdate("DROP TABLE test_default_compression");
    }

    @Test
    void testDefaultLayout()
    {
        getQueryRunner().createCatalog("rows", AlbisConnectorFactory.CONNECTOR_NAME, ImmutableMap.<String, String>builder()
                .putAll(AlbisQueryRunner.catalogProperties(getDistributedQueryRunner().getCoordinator().getBaseDataDir().resolve("albis")))
                .put("albis.default-layout", "ROW")
                .put("albis.default-column-groups", "TABLE")
                // Each node has its own cache, and any node may read a row group. Without caches, every read costs the
                // same
                .put("albis.metadata-cache.max-size", "0B")
                .buildOrThrow());
        assertUpdate("CREATE TABLE rows.tpch.test_default_layout AS SELECT 1 a, 'x' b", 1);
        assertThat((String) computeScalar("SHOW CREATE TABLE rows.tpch.test_default_layout")).doesNotContain("WITH");
        // The same table in a catalog with other defaults
        assertThat((String) computeScalar("SHOW CREATE TABLE albis.tpch.test_default_layout"))
                .endsWith(
                        """
                        WITH (
                           column_groups = ARRAY[ARRAY['a','b']],
                           layout = 'row'
                        )""");
        assertUpdate("DROP TABLE test_default_layout");

        // INSERT uses the layout of the table
        assertUpdate("CREATE TABLE rows.tpch.test_default_layout AS TABLE tpch.tiny.orders", 15000);
        assertUpdate("INSERT INTO albis.tpch.test_default_layout TABLE tpch.tiny.orders", 15000);
        assertThat(bytesRead("SELECT sum(totalprice) FROM rows.tpch.test_default_layout"))
                .isEqualTo(bytesRead("SELECT sum(totalprice), max(comment) FROM rows.tpch.test_default_layout"));
        assertUpdate("DROP TABLE test_default_layout");
        assertUpdate("CREATE TABLE albis.tpch.test_default_layout WITH (column_groups = ARRAY[ARRAY['orderkey', 'totalprice', 'comment']]) AS SELECT orderkey, totalprice, comment FROM tpch.tiny.orders", 15000);
        assertUpdate("INSERT INTO rows.tpch.test_default_layout SELECT orderkey, totalprice, comment FROM tpch.tiny.orders", 15000);
        assertThat(bytesRead("SELECT sum(totalprice) FROM test_default_layout"))
                .isLessThan(bytesRead("SELECT sum(totalprice), max(comment) FROM test_default_layout") / 3);
        assertUpdate("DROP TABLE test_default_layout");
    }

    /**
     * Returns the bytes that a query reads. The row layout reads whole rows, and the block layout reads single columns.
     */
    private long bytesRead(@Language("SQL") String sql)
    {
        return ScanStatistics.of(getDistributedQueryRunner(), getDistributedQueryRunner().executeWithPlan(getSession(), sql).queryId()).scanned("Albis bytes read");
    }

    @Test
    void testColumnsInNoGroup()
    {
        // The columns are grouped as without the property
        assertRoundTrip(
                "(a bigint, b varchar, c double, d date) WITH (column_groups = ARRAY[ARRAY['d', 'b']])",
                """

                WITH (
                   column_groups = ARRAY[ARRAY['d','b'],ARRAY['a'],ARRAY['c']]
                )""");
        // An empty list of groups means the default
        assertRoundTrip("(a bigint, b varchar) WITH (column_groups = ARRAY[])", "");
    }

    /**
     * Tests the description of a table with both layouts in docs/connector.md.
     */
    @Test
    void testDocumentedExample()
            throws IOException
    {
        String documentation = Files.readString(Path.of("docs/connector.md"));
        Matcher example = Pattern.compile("A table may have both:\\s+```sql\\s+(.*?);\\s+```.*?```\\s+(.*?)\\s+```", Pattern.DOTALL).matcher(documentation);
        assertThat(example.find()).isTrue();
        assertUpdate("CREATE SCHEMA shop");
        assertUpdate(example.group(1));
        assertThat((String) computeScalar("SHOW CREATE TABLE albis.shop.visits")).isEqualTo(example.group(2));
        Matcher regroup = Pattern.compile("### Changing column groups\\s+```sql\\s+(.*?);\\s+```.*?metric_value\\n-+\\+-+\\n(.*?)\\n```", Pattern.DOTALL).matcher(documentation);
        assertThat(regroup.find()).isTrue();
        assertUpdate("INSERT INTO albis.shop.visits SELECT n, TIMESTAMP '2026-01-01 00:00:00.000', 'page ' || CAST(n % 10 AS varchar), 'agent' FROM UNNEST(sequence(1, 1000)) t (n)", 1000);
        String output = computeActual(regroup.group(1)).getMaterializedRows().stream()
                .map(row -> " %-26s | %12s".formatted(row.getField(0), row.getField(1)))
                .collect(joining("\n"));
        assertThat(output).isEqualTo(regroup.group(2));
        assertUpdate("DROP SCHEMA shop CASCADE");
    }

    static List<String> groupsAndLayouts()
    {
        Stream<String> ofOneLayout = Stream.of(
                        "ARRAY[ARRAY['nationkey', 'name', 'regionkey', 'comment']]",
                        "ARRAY[ARRAY['comment', 'nationkey'], ARRAY['regionkey', 'name']]",
                        "ARRAY[ARRAY['comment'], ARRAY['name'], ARRAY['regionkey'], ARRAY['nationkey']]")
                .flatMap(groups -> Stream.of("row", "block").map(layout -> "layout = '%s', column_groups = %s".formatted(layout, groups)));
        Stream<String> mixed = Stream.of(
                "column_groups = ARRAY[ARRAY['comment', 'nationkey'], ARRAY['regionkey', 'name']], column_group_layouts = ARRAY['row', 'block']",
                "column_groups = ARRAY[ARRAY['comment', 'nationkey'], ARRAY['regionkey', 'name']], column_group_layouts = ARRAY['block', 'row']",
                "layout = 'row', column_groups = ARRAY[ARRAY['regionkey']], column_group_layouts = ARRAY['block']");
        return Stream.concat(ofOneLayout, mixed).toList();
    }

    @ParameterizedTest
    @MethodSource("groupsAndLayouts")
    void testGroupsHoldData(String properties)
    {
        try (TestTable table = newTrinoTable("test_groups", "WITH (%s) AS TABLE tpch.tiny.nation".formatted(properties))) {
            assertUpdate("INSERT INTO " + table.getName() + " SELECT nationkey + 100, name, regionkey, comment FROM tpch.tiny.nation", 25);
            assertThat(query("TABLE " + table.getName())).matches("TABLE tpch.tiny.nation UNION ALL SELECT nationkey + 100, name, regionkey, comment FROM tpch.tiny.nation");
            assertThat(query("SELECT name FROM " + table.getName() + " WHERE regionkey = 2 AND nationkey < 100")).matches("SELECT name FROM tpch.tiny.nation WHERE regionkey = 2");
        }
    }

    @Test
    void testRowGroupRows()
    {
        try (TestTable table = newTrinoTable("test_rows", "WITH (row_group_rows = 10) AS TABLE tpch.tiny.nation")) {
            assertThat(rowGroupFolders(table.getName())).isEqualTo(3);
            assertThat(query("TABLE " + table.getName())).matches("TABLE tpch.tiny.nation");
        }
    }

    private long rowGroupFolders(String table)
    {
        String plan = (String) computeScalar("EXPLAIN ANALYZE VERBOSE SELECT sum(nationkey) FROM " + table);
        Matcher matcher = Pattern.compile("'Albis row groups' = LongCount\\{total=(\\d+)\\}").matcher(plan);
        assertThat(matcher.find()).as(plan).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    @Test
    void testBadProperties()
    {
        assertBadTable("column_groups = ARRAY[ARRAY['x']]", "\\Qcolumn_groups names column 'x', which the table does not have; its columns are: a, b\\E");
        assertBadTable("column_groups = ARRAY[ARRAY['a'], ARRAY['b', 'A']]", "column_groups names column 'a' twice; a column can be in one group only");
        assertBadTable("column_groups = ARRAY[ARRAY['a'], ARRAY[]]", ".*column_groups contains a group without columns; each group must name at least one column");
        assertBadTable("column_groups = ARRAY[ARRAY['a'], NULL]", ".*column_groups contains NULL; each group must be an array of column names");
        assertBadTable("column_groups = ARRAY[ARRAY['a', NULL]]", ".*column_groups contains a group with NULL; each group must be an array of column names");
        assertBadTable("layout = 'column'", ".*layout must be 'row' or 'block': column");
        assertBadTable("column_groups = ARRAY[ARRAY['a']], column_group_layouts = ARRAY['column']", ".*column_group_layouts must be 'row' or 'block': column");
        assertBadTable("column_groups = ARRAY[ARRAY['a']], column_group_layouts = ARRAY[NULL]", ".*column_group_layouts contains NULL; each layout must be 'row' or 'block'");
        assertBadTable(
                "column_groups = ARRAY[ARRAY['a'], ARRAY['b']], column_group_layouts = ARRAY['row']",
                "column_group_layouts must have one layout for each group in column_groups; layouts: 1, groups: 2");
        assertBadTable("column_group_layouts = ARRAY['row']", "column_group_layouts must have one layout for each group in column_groups; layouts: 1, groups: 0");
        assertBadTable("row_group_size = '1B'", ".*row_group_size must be between 4kB and 1TB: 1B");
        assertBadTable("row_group_size = 'much'", ".*size is not a valid data size string: much");
        assertBadTable("row_group_rows = 0", ".*row_group_rows must be at least 1: 0");
        assertBadTable("isolation_level = 'READ_COMMITTED'", ".*Invalid value \\[READ_COMMITTED\\]. Valid values: \\[SERIALIZABLE, SNAPSHOT\\]");
        assertBadTable("compression = 'gzip'", ".*compression must be 'none', 'lz4', or 'zstd': gzip");
        assertBadTable("column_groups = ARRAY[ARRAY['a']], column_group_compressions = ARRAY['gzip']", ".*column_group_compressions must be 'none', 'lz4', or 'zstd': gzip");
        assertBadTable("column_groups = ARRAY[ARRAY['a']], column_group_compressions = ARRAY[NULL]", ".*column_group_compressions contains NULL; each compression must be 'none', 'lz4', or 'zstd'");
        assertBadTable(
                "column_groups = ARRAY[ARRAY['a'], ARRAY['b']], column_group_compressions = ARRAY['lz4']",
                "column_group_compressions must have one compression for each group in column_groups; compressions: 1, groups: 2");
        assertBadTable("compression = ''", ".*compression must be 'none', 'lz4', or 'zstd': ");
        assertBadTable("segment_size = '1GB'", ".*segment_size must be between 1kB and 256MB: 1GB");
        assertBadTable("location = 'nowhere'", ".*nowhere.*");
        assertQueryFails("CREATE SCHEMA bad WITH (location = 'nowhere')", ".*nowhere.*");
        assertBadTable("no_such_property = 1", ".*'no_such_property' does not exist");
    }

    @Test
    void testUnsupportedTypes()
    {
        assertQueryFails("CREATE TABLE bad (a bigint, b HyperLogLog)", "Column 'b' has type HyperLogLog, which an Albis table cannot hold. Supported types: boolean, .*, and row, array, and map of these types");
        assertQueryFails("CREATE TABLE bad AS SELECT INTERVAL '2' DAY i", "Column 'i' has type interval day to second, which an Albis table cannot hold.*");
        // Values of type number, which come from other sources, are stored as rounded decimals
        assertUpdate("CREATE TABLE rounded AS SELECT NUMBER '1.123456789012' AS a", 1);
        assertThat(query("SELECT a FROM rounded")).matches("VALUES CAST(1.1234567890 AS decimal(38, 10))");
        assertUpdate("DROP TABLE rounded");
        assertThat(query("SHOW TABLES LIKE 'bad'")).returnsEmptyResult();
    }

    private void assertRoundTrip(String definition, String expectedProperties)
    {
        String table = "test_properties_" + randomNameSuffix();
        assertUpdate("CREATE TABLE " + table + " " + definition);
        String created = (String) computeScalar("SHOW CREATE TABLE " + table);
        assertThat(created).endsWith(")" + (definition.contains("COMMENT 'all of it'") ? "\nCOMMENT 'all of it'" : "") + expectedProperties);
        assertUpdate("DROP TABLE " + table);
        assertUpdate(created);
        assertThat(computeScalar("SHOW CREATE TABLE " + table)).isEqualTo(created);
        assertUpdate("DROP TABLE " + table);
    }

    private void assertBadTable(String property, String message)
    {
        assertQueryFails("CREATE TABLE bad (a bigint, b varchar) WITH (" + property + ")", message);
        assertQueryFails("CREATE TABLE bad WITH (" + property + ") AS SELECT 1 a, 'x' b", message);
        assertThat(query("SHOW TABLES LIKE 'bad'")).returnsEmptyResult();
    }
}
