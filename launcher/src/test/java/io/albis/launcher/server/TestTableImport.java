package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.launcher.importing.ImportPlan;
import io.albis.launcher.importing.ServerConnection;
import io.albis.launcher.importing.TableImport;
import io.albis.launcher.importing.TableReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.createSymbolicLink;
import static java.nio.file.Files.readString;
import static java.util.Objects.requireNonNullElse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests bin/albis import with tables of Iceberg, Hive, and others.
 */
@Tag("server")
@Tag("slow")
@TestInstance(PER_CLASS)
final class TestTableImport
{
    private static final String PAGE = "docs/operations.md";
    private static final Pattern ARGUMENT = Pattern.compile("\"([^\"]*)\"|(\\S+)");
    /**
     * What differs from run to run: numbers of versions, names of folders and of copies, and times.
     */
    private static final Pattern CHANGING = Pattern.compile("(VERSION AS OF |/sales-|_import_|took )[0-9a-f.]+");

    private Path home;
    private TestingNode server;
    private TestingClient client;

    @BeforeAll
    void start(@TempDir Path home)
            throws Exception
    {
        this.home = home;
        Installation installation = TestingNode.install(Installation.current().repository(), home);
        createSymbolicLink(
                installation.runtime().resolve("plugin/iceberg"),
                Path.of(System.getProperty("albis.connectors")).resolve("plugin/iceberg"));
        server = TestingNode.launch(
                installation,
                "server",
                TestingNode.freeAddress(),
                ImmutableMap.of("coordinator", "true", "node-scheduler.include-coordinator", "true"),
                ImmutableMap.of(
                        "albis", TestingNode.localCatalog(home),
                        "tpch", ImmutableMap.of("connector.name", "tpch"),
                        "iceberg", ImmutableMap.of(
                                "connector.name", "iceberg",
                                "iceberg.catalog.type", "TESTING_FILE_METASTORE",
                                "hive.metastore.catalog.dir", "local:///",
                                "fs.local.enabled", "true",
                                "local.location", createDirectories(home.resolve("iceberg")).toString()),
                        "hive", ImmutableMap.of(
                                "connector.name", "hive",
                                "hive.metastore", "file",
                                "hive.metastore.catalog.dir", "local:///",
                                "fs.local.enabled", "true",
                                "local.location", createDirectories(home.resolve("hive")).toString())));
        client = server.awaitReady().client();
        for (String catalog : ImmutableList.of("albis", "iceberg", "hive")) {
            client.execute("CREATE SCHEMA %s.shop".formatted(catalog));
        }
        client.execute(
                """
                CREATE TABLE iceberg.shop.sales (
                   id bigint NOT NULL COMMENT 'number of the order',
                   sold timestamp(6) with time zone,
                   region varchar,
                   price decimal(12, 2),
                   customer bigint,
                   tags map(varchar, integer)
                )
                COMMENT 'all that was sold'
                WITH (partitioning = ARRAY['year(sold)', 'bucket(id, 4)'], sorted_by = ARRAY['region', 'price DESC'])
                """);
        client.execute(
                """
                INSERT INTO iceberg.shop.sales
                SELECT orderkey, CAST(orderdate AS timestamp(6) with time zone), orderpriority, totalprice, custkey, MAP(ARRAY['priority'], ARRAY[shippriority])
                FROM tpch.tiny.orders
                """);
    }

    @AfterAll
    void stop()
            throws InterruptedException
    {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void testDocumentedImport()
            throws Exception
    {
        assertThat(changed(runDocumented("commands: import dry run"))).isEqualTo(changed(DocumentedBlocks.text(PAGE, "output: import dry run", "sql")));
        assertThat(tables()).isEmpty();

        assertThat(changed(runDocumented("commands: import"))).isEqualTo(changed(DocumentedBlocks.text(PAGE, "output: import", "text")));
        assertThat(tables()).containsExactly("sales");
        assertThat(client.query("SHOW CREATE TABLE albis.shop.sales")).containsExactly(
                """
                CREATE TABLE albis.shop.sales (
                   id bigint NOT NULL COMMENT 'number of the order',
                   sold timestamp(6) with time zone,
                   region varchar,
                   price decimal(12, 2),
                   customer bigint,
                   tags map(varchar, integer)
                )
                COMMENT 'all that was sold'
                WITH (
                   compression = 'zstd',
                   partitioned_by = ARRAY['year(sold)','bucket(id, 4)'],
                   sorted_by = ARRAY['region ASC NULLS FIRST','price DESC NULLS LAST']
                )""");
        assertThat(client.query("SELECT count(*) FROM albis.shop.sales")).containsExactly("15000");
        assertThat(client.query("SELECT count(*) FROM (SELECT id, sold, region, price, customer, tags FROM albis.shop.sales INTERSECT SELECT * FROM iceberg.shop.sales)")).containsExactly("15000");
        // 7 years
        assertThat(client.query("SELECT count(*) FROM albis.shop.\"sales$partitions\"")).containsExactly("28");
        client.execute("DROP TABLE albis.shop.sales");
    }

    @Test
    void testHive()
            throws Exception
    {
        client.execute(
                """
                CREATE TABLE hive.shop.orders (id bigint COMMENT 'number', "odd name" char(15), price double, sold timestamp(3), year varchar, status varchar(1))
                COMMENT 'Hive''s orders'
                WITH (partitioned_by = ARRAY['year', 'status'], bucketed_by = ARRAY['id'], bucket_count = 2, sorted_by = ARRAY['odd name', 'price DESC'])
                """);
        client.execute(
                """
                INSERT INTO hive.shop.orders
                SELECT orderkey, orderpriority, totalprice, orderdate, CAST(year(orderdate) AS varchar), orderstatus FROM tpch.tiny.orders
                """);
        TestingCommand.Result result = runImport("--from", "hive.shop.orders", "--to", "albis.shop.orders");
        assertThat(result.exitCode()).as(result.output()).isEqualTo(0);
        assertThat(result.output())
                .contains("Not imported: column sold: further digits of times than those of its type.")
                .contains("Not imported: bucketing_version = 1, format = 'ORC'\n")
                .contains("albis.shop.orders has the 15,000 rows of hive.shop.orders, and the checksums of all columns are equal.");
        assertThat(client.query("SHOW CREATE TABLE albis.shop.orders")).containsExactly(
                """
                CREATE TABLE albis.shop.orders (
                   id bigint COMMENT 'number',
                   "odd name" char(15),
                   price double,
                   sold timestamp(3),
                   year varchar,
                   status varchar(1)
                )
                COMMENT 'Hive''s orders'
                WITH (
                   partitioned_by = ARRAY['year','status','bucket(id, 2)'],
                   sorted_by = ARRAY['"odd name" ASC NULLS FIRST','price DESC NULLS LAST']
                )""");

        assertThat(runImport("--from", "hive.shop.orders", "--to", "albis.shop.orders").output()).contains("Destination table 'albis.shop.orders' already exists");
        client.execute("DROP TABLE albis.shop.orders");
    }

    @Test
    void testTimestampsOfHive()
            throws Exception
    {
        String url = "jdbc:trino://%s?sessionProperties=hive.timestamp_precision:NANOSECONDS".formatted(client.uri().getAuthority());
        try (Connection connection = ServerConnection.of(url, "test", Optional.empty()).connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE hive.shop.times AS SELECT TIMESTAMP '2026-11-29 01:02:03.123456789' AS time");
        }
        assertThat(runImport("--from", "hive.shop.times", "--to", "albis.shop.rounded").output()).contains("Not imported: column time: further digits of times");
        assertThat(client.query("SELECT CAST(time AS varchar) FROM albis.shop.rounded")).containsExactly("2026-11-29 01:02:03.123");
        TestingCommand.Result result = run(ImmutableList.of("import", "--server", url, "--from", "hive.shop.times", "--to", "albis.shop.times"));
        assertThat(result.output()).contains("albis.shop.times has the 1 row of hive.shop.times").doesNotContain("Not imported: column");
        assertThat(client.query("SELECT CAST(time AS varchar) FROM albis.shop.times")).containsExactly("2026-11-29 01:02:03.123456789");
        client.execute("DROP TABLE albis.shop.rounded");
        client.execute("DROP TABLE albis.shop.times");
    }

    @Test
    void testDefaultValuesAndConstraints()
            throws Exception
    {
        client.execute("CREATE TABLE iceberg.shop.defaults (id bigint DEFAULT 7, text varchar DEFAULT 'it''s') WITH (format_version = 3)");
        client.execute("INSERT INTO iceberg.shop.defaults (id) VALUES 1");
        // The newest version of the rows does not have this column
        client.execute("ALTER TABLE iceberg.shop.defaults ADD COLUMN later integer");
        assertThat(runImport("--from", "iceberg.shop.defaults", "--to", "albis.shop.defaults").exitCode()).isEqualTo(0);
        assertThat(client.query("SHOW COLUMNS FROM albis.shop.defaults")).containsExactly("id", "text", "later");
        client.execute("INSERT INTO albis.shop.defaults (later) VALUES 3");
        assertThat(client.query("SELECT concat_ws(' ', CAST(id AS varchar), text, CAST(later AS varchar)) FROM albis.shop.defaults ORDER BY id")).containsExactly("1 it's", "7 it's 3");
        client.execute("DROP TABLE albis.shop.defaults");

        assertThat(runImport("--from", "tpch.tiny.region", "--to", "albis.shop.\"The Regions\"").exitCode()).isEqualTo(0);
        assertThat(client.query("SHOW CREATE TABLE albis.shop.\"the regions\"").getFirst()).contains("regionkey bigint NOT NULL,");
        client.execute("DROP TABLE albis.shop.\"the regions\"");
    }

    @Test
    void testColumnsThatWereAddedAgain()
            throws Exception
    {
        // The newest version still has the values of the dropped columns
        client.execute("CREATE TABLE iceberg.shop.again (id bigint, text varchar)");
        client.execute("INSERT INTO iceberg.shop.again VALUES (1, 'old')");
        client.execute("ALTER TABLE iceberg.shop.again DROP COLUMN text");
        client.execute("ALTER TABLE iceberg.shop.again ADD COLUMN text varchar");
        assertThat(runImport("--from", "iceberg.shop.again", "--to", "albis.shop.again").exitCode()).isEqualTo(0);
        assertThat(client.query("SELECT id FROM albis.shop.again WHERE text IS NULL")).containsExactly("1");
        client.execute("DROP TABLE albis.shop.again");

        client.execute("CREATE TABLE iceberg.shop.fields (id bigint, fields row(a integer, b varchar))");
        client.execute("INSERT INTO iceberg.shop.fields VALUES (1, ROW(2, 'old'))");
        client.execute("ALTER TABLE iceberg.shop.fields DROP COLUMN fields.b");
        client.execute("ALTER TABLE iceberg.shop.fields ADD COLUMN fields.b varchar");
        assertThat(runImport("--from", "iceberg.shop.fields", "--to", "albis.shop.fields").exitCode()).isEqualTo(0);
        assertThat(client.query("SELECT fields.a FROM albis.shop.fields WHERE fields.b IS NULL")).containsExactly("2");
        client.execute("DROP TABLE albis.shop.fields");
    }

    @Test
    void testEmptyTables()
            throws Exception
    {
        client.execute("CREATE TABLE iceberg.shop.empty (a integer) WITH (partitioning = ARRAY['a'])");
        TestingCommand.Result result = runImport("--from", "iceberg.shop.empty", "--to", "albis.shop.empty", "--with", "partitioned_by = DEFAULT");
        assertThat(result.output()).contains("albis.shop.empty has the 0 rows of iceberg.shop.empty");
        assertThat(client.query("SHOW CREATE TABLE albis.shop.empty").getFirst()).doesNotContain("partitioned_by");
        client.execute("DROP TABLE albis.shop.empty");
    }

    /**
     * Ctrl-C sends this signal while the rows are copied.
     */
    @Test
    void testInterruption()
            throws Exception
    {
        Path log = home.resolve("import.log");
        Process process = TestingTerminal.start(new ProcessBuilder(command(ImmutableList.of("import", "--server", client.uri().toString(), "--from", "tpch.sf1.lineitem", "--to", "albis.shop.lineitem")))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile()));
        while (!readString(log).contains("Copying the rows")) {
            assertThat(process.isAlive()).as(readString(log)).isTrue();
            Thread.sleep(20);
        }
        assertThat(tables()).hasSize(1).allMatch(name -> name.startsWith("lineitem_import_"));
        TestingTerminal.interrupt(process);
        assertThat(process.waitFor()).as(readString(log)).isNotEqualTo(0);
        assertThat(tables()).isEmpty();
    }

    /**
     * The answer to the last statement is lost, after or before the statement has had its effect.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testLostAnswer(boolean renamed)
            throws Exception
    {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        TableImport tableImport = tableImport(output, new InterruptTasks(), execution -> {
            if (renamed) {
                execution.run();
            }
            throw new SQLException("The answer is lost");
        });
        ImportPlan plan = planOfRegion(tableImport);
        if (renamed) {
            tableImport.run(plan);
            assertThat(output.toString(UTF_8)).contains("albis.shop.region has the 5 rows of tpch.tiny.region");
            assertThat(tables()).containsExactly("region");
            client.execute("DROP TABLE albis.shop.region");
        }
        else {
            assertThatThrownBy(() -> tableImport.run(plan)).hasMessage("tpch.tiny.region was not imported: The answer is lost");
            assertThat(tables()).isEmpty();
        }
    }

    @Test
    void testInterruptionAfterTheLastStatement()
            throws Exception
    {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        InterruptTasks tasks = new InterruptTasks();
        TableImport tableImport = tableImport(output, tasks, execution -> {
            boolean result = execution.run();
            tasks.run();
            return result;
        });
        tableImport.run(planOfRegion(tableImport));
        assertThat(output.toString(UTF_8)).contains("tpch.tiny.region was imported").doesNotContain("was not imported");
        assertThat(tables()).containsExactly("region");
        client.execute("DROP TABLE albis.shop.region");
    }

    private interface Rename
    {
        boolean execute(HookedConnection.Execution execution)
                throws Throwable;
    }

    private TableImport tableImport(ByteArrayOutputStream output, InterruptTasks tasks, Rename rename)
            throws SQLException
    {
        Connection connection = HookedConnection.of(
                ServerConnection.of(client.uri().toString(), "test", Optional.empty()).connect(),
                (sql, execution) -> sql.contains(" RENAME TO ") ? rename.execute(execution) : execution.run());
        return new TableImport(connection, new PrintStream(output, true, UTF_8), tasks);
    }

    private static ImportPlan planOfRegion(TableImport tableImport)
            throws SQLException
    {
        return tableImport.plan(TableReference.parse("tpch.tiny.region"), TableReference.parse("albis.shop.region"), "_import_1", ImmutableList.of());
    }

    @Test
    void testRefusals()
            throws Exception
    {
        client.execute("CREATE TABLE iceberg.shop.variants (v variant) WITH (format_version = 3)");
        assertRefused("iceberg.shop.variants", "albis.shop.variants", "iceberg.shop.variants cannot be imported as albis.shop.variants: ", "Column 'v' has type variant, which an Albis table cannot hold");
        assertRefused("tpch.tiny.region", "albis.none.region", "tpch.tiny.region cannot be imported as albis.none.region: ", "Schema none not found");
        assertRefused("tpch.tiny.region", "hive.shop.region", "hive.shop.region cannot be created: 'hive' is a catalog of the connector hive, and tables are imported into Albis");
        assertRefused("tpch.tiny.region", "none.shop.region", "none.shop.region cannot be created: there is no catalog 'none'");
        assertRefused("tpch.tiny.none", "albis.shop.none", "tpch.tiny.none was not imported: ", "Table 'tpch.tiny.none' does not exist");
        client.execute("CREATE VIEW iceberg.shop.view AS SELECT 1 AS a");
        assertRefused("iceberg.shop.view", "albis.shop.view", "Relation 'iceberg.shop.view' is a view, not a table");
        // Each query adds a row to this table
        assertRefused("system.runtime.queries", "albis.shop.queries", "system.runtime.queries was not imported: it has ", " rows, and its copy has ");
        assertThat(tables()).isEmpty();
    }

    private void assertRefused(String source, String target, String... messages)
            throws IOException, InterruptedException
    {
        TestingCommand.Result result = runImport("--from", source, "--to", target);
        assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).contains(messages).doesNotContain("\tat ");
    }

    private List<String> tables()
            throws SQLException
    {
        return client.query("SHOW TABLES FROM albis.shop");
    }

    private String runDocumented(String marker)
            throws IOException, InterruptedException
    {
        String command = DocumentedBlocks.text(PAGE, marker, "bash").replace("\\\n", " ").strip();
        assertThat(command).startsWith("bin/albis import ").contains("http://coordinator:8080");
        TestingCommand.Result result = run(ARGUMENT.matcher(command.substring("bin/albis ".length()).replace("http://coordinator:8080", client.uri().toString())).results()
                .map(TestTableImport::unquoted)
                .toList());
        assertThat(result.exitCode()).as(result.output()).isEqualTo(0);
        return result.output();
    }

    private static String unquoted(MatchResult argument)
    {
        return requireNonNullElse(argument.group(1), argument.group(2));
    }

    private TestingCommand.Result runImport(String... options)
            throws IOException, InterruptedException
    {
        return run(ImmutableList.<String>builder()
                .add("import", "--server", client.uri().toString())
                .add(options)
                .build());
    }

    private static TestingCommand.Result run(List<String> arguments)
            throws IOException, InterruptedException
    {
        return TestingCommand.of(command(arguments).toArray(String[]::new)).run();
    }

    private static List<String> command(List<String> arguments)
    {
        return ImmutableList.<String>builder()
                .add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .add("-Xmx256m", "-XX:TieredStopAtLevel=1")
                .add("-cp", Installation.current().server().resolve("launcher") + "/*", "io.albis.launcher.Launcher")
                .addAll(arguments)
                .build();
    }

    private static String changed(String text)
    {
        return CHANGING.matcher(text).replaceAll("$1...");
    }
}
