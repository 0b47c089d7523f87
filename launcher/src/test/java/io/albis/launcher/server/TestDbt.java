package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.writeString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests a dbt project on a server, with the Python package dbt-trino, as docs/dbt.md describes it.
 */
@Tag("server")
@Tag("slow")
@TestInstance(PER_CLASS)
@ExtendWith(PythonCondition.class)
final class TestDbt
{
    private static final String PAGE = "docs/dbt.md";
    private static final String ORDER = "concat_ws(' ', CAST(id AS varchar), customer, status, coalesce(CAST(amount AS varchar), '-'), date_format(updated_at, '%d %H'))";

    private static final List<String> FIRST = ImmutableList.of(
            "1 ann open 10.50 01 08",
            "2 bob open 20.25 01 09",
            "3 cid shipped - 01 10",
            "4 dee open 40.00 01 11");
    // Orders 1 and 3 have changed, order 4 is missing, and order 5 is new
    private static final List<String> SECOND = ImmutableList.of(
            "1 ann shipped 11.00 02 08",
            "2 bob open 20.25 01 09",
            "3 cid shipped 30.00 02 09",
            "5 eve open 50.00 02 10");
    // Incremental models do not notice that order 4 is missing
    private static final List<String> MERGED = ImmutableList.of(
            "1 ann shipped 11.00 02 08",
            "2 bob open 20.25 01 09",
            "3 cid shipped 30.00 02 09",
            "4 dee open 40.00 01 11",
            "5 eve open 50.00 02 10");

    private Path home;
    private TestingPython python;
    private TestingNode server;
    private TestingClient client;

    @BeforeAll
    void start(@TempDir Path home)
            throws Exception
    {
        this.home = home;
        Installation installation = TestingNode.install(Installation.current().repository(), home);
        // The server starts while the packages are installed
        server = TestingNode.launchWithoutCatalogs(installation, "server");
        python = TestingPython.install(installation.repository().resolve("launcher/target/dbt"), TestingDbt.REQUIREMENTS);
        client = server.awaitReady().client();
        client.createCatalog("albis", TestingNode.localCatalog(home));
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
    void testMaterializations()
            throws Exception
    {
        TestingDbt dbt = TestingDbt.create(python, home.resolve("shop"), client.uri(), "shop");
        runEverything(dbt);
        assertThat(orders("orders")).isEqualTo(FIRST);
        assertThat(client.query("SELECT concat_ws(' ', column_name, data_type) FROM albis.information_schema.columns WHERE table_schema = 'shop' AND table_name = 'orders' ORDER BY ordinal_position"))
                .containsExactly("id bigint", "customer varchar", "status varchar", "amount decimal(10,2)", "updated_at timestamp(3)");
        assertThat(client.query("SELECT concat_ws(' ', column_name, data_type) FROM albis.information_schema.columns WHERE table_schema = 'shop' AND table_name = 'customers' ORDER BY ordinal_position"))
                .containsExactly("name varchar", "number integer", "share double", "member boolean", "since date", "seen timestamp(3)");
        assertThat(client.query("SELECT concat_ws(', ', name, CAST(number AS varchar), coalesce(CAST(share AS varchar), '-'), CAST(member AS varchar), coalesce(CAST(since AS varchar), '-'), coalesce(CAST(seen AS varchar), '-')) FROM albis.shop.customers ORDER BY number"))
                .containsExactly(
                        "ann, 1, 2.5E-1, true, 2020-02-29, 2026-01-01 08:00:00.000",
                        "bob, 2, 5.0E-1, false, 2021-03-01, 2026-01-01 09:30:00.000",
                        "cid, 3, -, true, -, -");
        for (String table : ImmutableList.of("orders_renamed", "orders_dropped", "orders_replaced", "orders_kept", "orders_view", "orders_materialized_view")) {
            assertThat(orders(table)).as(table).isEqualTo(FIRST);
        }
        assertThat(amounts()).containsExactly("ann 10.50", "bob 20.25", "dee 40.00");
        for (String model : ImmutableList.of("appended", "appended_from_view", "deleted_and_inserted", "deleted_by_two_keys", "merged", "merged_columns", "merged_other_columns", "in_batches")) {
            assertThat(orders(model)).as(model).isEqualTo(FIRST);
        }
        for (String snapshot : ImmutableList.of("orders_by_time", "orders_by_value", "orders_with_deletes")) {
            assertThat(orders(snapshot)).as(snapshot).isEqualTo(FIRST);
            assertThat(client.query("SELECT count(*) FROM albis.shop.%s WHERE dbt_valid_to IS NOT NULL".formatted(snapshot))).containsExactly("0");
        }

        dbt.change("changed");
        runEverything(dbt);
        assertSecondState();
        assertThat(amounts()).containsExactly("bob 20.25", "eve 50.00");

        // Nothing has changed since
        runEverything(dbt);
        assertSecondState();

        dbt.run("run", "--full-refresh", "--select", "merged", "deleted_and_inserted").checkSucceeded();
        assertThat(orders("merged")).isEqualTo(SECOND);
        assertThat(orders("deleted_and_inserted")).isEqualTo(SECOND);
        // on_table_exists='replace' keeps the history of the table, and on_table_exists='rename' does not
        assertThat(operations("merged")).startsWith("create").contains("overwrite").endsWith("replace");
        assertThat(operations("orders_replaced")).containsExactly("create", "replace", "replace");
        assertThat(operations("deleted_and_inserted")).doesNotContain("delete");

        dbt.run("docs", "generate").checkSucceeded();
        assertThat(readString(home.resolve("shop/target/catalog.json"))).contains("\"name\": \"orders_renamed\"", "All of the shop's orders", "what the shop's customers quote");

        client.execute("DELETE FROM albis.shop.orders_replaced WHERE id = 5");
        assertThat(dbt.run("test").checkFailed().output()).contains("Failure in test tables_have_all_orders", "Got 1 result, configured to fail if != 0");
        assertThat(client.query("SELECT customer FROM albis.shop_dbt_test__audit.tables_have_all_orders")).containsExactly("eve");
    }

    /**
     * Tests what dbt cannot do, and models and snapshots whose columns change.
     */
    @Test
    void testRefused()
            throws Exception
    {
        TestingDbt dbt = TestingDbt.create(python, home.resolve("refused"), client.uri(), "refused");
        dbt.run("seed").checkSucceeded();
        dbt.run("snapshot", "--select", "orders_by_time").checkSucceeded();
        assertThat(dbt.run("run", "--select", "tag:refused", "--vars", "{refused: true}").checkFailed().output())
                .contains("Failure in model refused_grants", "This connector does not support grants")
                .contains("Done. PASS=4 WARN=0 ERROR=1 SKIP=0");
        dbt.run("run", "--select", "tag:refused", "--exclude", "refused_grants", "--vars", "{refused: true, changed: true}").checkSucceeded();
        assertThat(columns("refused_new_column")).containsExactly("id", "customer");
        assertThat(columns("refused_missing_column")).containsExactly("id");
        // A full refresh replaces the columns
        dbt.run("run", "--full-refresh", "--select", "refused_new_column", "refused_missing_column", "refused_wider_text", "--vars", "{refused: true, changed: true}").checkSucceeded();
        assertThat(columns("refused_new_column")).containsExactly("id", "customer");

        dbt.change("new-column");
        dbt.run("seed").checkSucceeded();
        dbt.run("snapshot", "--select", "orders_by_time").checkSucceeded();
        assertThat(client.query("SELECT concat_ws(' ', CAST(id AS varchar), coalesce(note, '-')) FROM albis.refused.orders_by_time ORDER BY id, note NULLS FIRST"))
                .containsExactly("1 -", "1 gift", "2 -", "3 -", "4 -");
    }

    /**
     * Runs a project that consists of the files of docs/dbt.md.
     */
    @Test
    void testDocumentedProject()
            throws Exception
    {
        Path project = home.resolve("documented");
        Path models = createDirectories(project.resolve("models"));
        writeString(project.resolve("profiles.yml"), DocumentedBlocks.text(PAGE, "profile: shop", "yaml")
                .replace("port: 8080", "port: " + client.uri().getPort())
                .replace("schema: shop", "schema: documented"));
        writeString(project.resolve("dbt_project.yml"), "name: shop\nprofile: shop\nflags: {send_anonymous_usage_stats: false}\n" +
                DocumentedBlocks.text(PAGE, "project: settings", "yaml") +
                DocumentedBlocks.text(PAGE, "project: replace", "yaml").replace("models:\n", ""));
        writeString(models.resolve("orders.sql"), "SELECT BIGINT '1' AS id, CAST(localtimestamp AS timestamp(3)) AS updated_at");
        for (String model : new String[] {"properties", "merge", "expire"}) {
            writeString(models.resolve(model + ".sql"), DocumentedBlocks.text(PAGE, "model: " + model, "sql") + "SELECT * FROM {{ ref('orders') }}");
        }
        TestingDbt dbt = new TestingDbt(python, project, client.uri(), "documented");
        dbt.run("run").checkSucceeded();
        dbt.run("run").checkSucceeded();

        assertThat(client.query("SHOW CREATE TABLE albis.documented.properties").getFirst())
                .contains("layout = 'row'", "compression = 'lz4'", "row_group_rows = 500000");
        assertThat(client.query("SELECT operation FROM albis.documented.\"properties$snapshots\" ORDER BY snapshot_id")).containsExactly("create", "replace");
        for (String table : new String[] {"orders", "properties", "merge", "expire"}) {
            assertThat(client.query("SELECT id FROM albis.documented." + table)).as(table).containsExactly("1");
        }
    }

    private List<String> columns(String table)
            throws SQLException
    {
        return client.query("SELECT column_name FROM albis.information_schema.columns WHERE table_schema = 'refused' AND table_name = '%s'".formatted(table));
    }

    private static void runEverything(TestingDbt dbt)
            throws IOException, InterruptedException
    {
        dbt.run("seed").checkSucceeded();
        // The times apply only to the model in batches, which otherwise has a batch for each day until now
        dbt.run("run", "--event-time-start", "2026-01-01", "--event-time-end", "2026-01-03").checkSucceeded();
        dbt.run("snapshot").checkSucceeded();
        dbt.run("test").checkSucceeded();
    }

    private void assertSecondState()
            throws SQLException
    {
        assertThat(orders("orders")).isEqualTo(SECOND);
        assertThat(orders("orders_renamed")).isEqualTo(SECOND);
        assertThat(orders("orders_dropped")).isEqualTo(SECOND);
        assertThat(orders("orders_replaced")).isEqualTo(SECOND);
        assertThat(orders("orders_view")).isEqualTo(SECOND);
        assertThat(orders("orders_materialized_view")).isEqualTo(SECOND);
        assertThat(orders("orders_kept")).isEqualTo(FIRST);

        assertThat(orders("appended")).containsExactly(
                "1 ann open 10.50 01 08",
                "1 ann shipped 11.00 02 08",
                "2 bob open 20.25 01 09",
                "3 cid shipped - 01 10",
                "3 cid shipped 30.00 02 09",
                "4 dee open 40.00 01 11",
                "5 eve open 50.00 02 10");
        assertThat(orders("appended_from_view")).isEqualTo(orders("appended"));
        assertThat(orders("deleted_and_inserted")).isEqualTo(MERGED);
        // The key is the customer and the status, so the open order of ann stays
        assertThat(orders("deleted_by_two_keys")).containsExactly(
                "1 ann open 10.50 01 08",
                "1 ann shipped 11.00 02 08",
                "2 bob open 20.25 01 09",
                "3 cid shipped 30.00 02 09",
                "4 dee open 40.00 01 11",
                "5 eve open 50.00 02 10");
        assertThat(orders("merged")).isEqualTo(MERGED);
        assertThat(orders("merged_columns")).containsExactly(
                "1 ann shipped 10.50 01 08",
                "2 bob open 20.25 01 09",
                "3 cid shipped - 01 10",
                "4 dee open 40.00 01 11",
                "5 eve open 50.00 02 10");
        assertThat(orders("merged_other_columns")).containsExactly(
                "1 ann shipped 10.50 02 08",
                "2 bob open 20.25 01 09",
                "3 cid shipped - 02 09",
                "4 dee open 40.00 01 11",
                "5 eve open 50.00 02 10");
        assertThat(orders("in_batches")).isEqualTo(SECOND);

        // The time of an order is that of its version, and a missing order stays open
        assertThat(orders("orders_by_time", "'from', date_format(dbt_valid_from, '%d %H'), 'to', coalesce(date_format(dbt_valid_to, '%d %H'), 'now')"))
                .containsExactly(
                        "1 ann open 10.50 01 08 from 01 08 to 02 08",
                        "1 ann shipped 11.00 02 08 from 02 08 to now",
                        "2 bob open 20.25 01 09 from 01 09 to now",
                        "3 cid shipped - 01 10 from 01 10 to 02 09",
                        "3 cid shipped 30.00 02 09 from 02 09 to now",
                        "4 dee open 40.00 01 11 from 01 11 to now",
                        "5 eve open 50.00 02 10 from 02 10 to now");
        assertThat(orders("orders_by_value", "if(dbt_valid_to IS NULL, 'now', if(dbt_valid_from < dbt_valid_to, 'closed', 'wrong'))"))
                .containsExactly(
                        "1 ann open 10.50 01 08 closed",
                        "1 ann shipped 11.00 02 08 now",
                        "2 bob open 20.25 01 09 now",
                        "3 cid shipped - 01 10 closed",
                        "3 cid shipped 30.00 02 09 now",
                        "4 dee open 40.00 01 11 closed",
                        "5 eve open 50.00 02 10 now");
        assertThat(orders("orders_with_deletes", "if(dbt_valid_to IS NULL, 'now', 'closed'), dbt_is_deleted"))
                .containsExactly(
                        "1 ann open 10.50 01 08 closed False",
                        "1 ann shipped 11.00 02 08 now False",
                        "2 bob open 20.25 01 09 now False",
                        "3 cid shipped - 01 10 closed False",
                        "3 cid shipped 30.00 02 09 now False",
                        "4 dee open 40.00 01 11 closed False",
                        "4 dee open 40.00 01 11 now True",
                        "5 eve open 50.00 02 10 now False");

        // No temporary table is left
        assertThat(client.query("SHOW TABLES FROM albis.shop")).containsExactlyInAnyOrder(
                "customers",
                "orders",
                "orders_renamed",
                "orders_dropped",
                "orders_replaced",
                "orders_kept",
                "orders_view",
                "orders_materialized_view",
                "open_amounts",
                "appended",
                "appended_from_view",
                "deleted_and_inserted",
                "deleted_by_two_keys",
                "merged",
                "merged_columns",
                "merged_other_columns",
                "in_batches",
                "orders_by_time",
                "orders_by_value",
                "orders_with_deletes");
        assertThat(client.query("SELECT comment FROM system.metadata.table_comments WHERE catalog_name = 'albis' AND schema_name = 'shop' AND table_name = 'orders_renamed'"))
                .containsExactly("All of the shop's orders");
    }

    private List<String> orders(String table)
            throws SQLException
    {
        return client.query("SELECT %s FROM albis.shop.%s ORDER BY 1".formatted(ORDER, table));
    }

    /**
     * Returns the orders of a snapshot, each followed by what the snapshot says about it.
     *
     * @param details SQL expressions, separated by commas
     */
    private List<String> orders(String snapshot, String details)
            throws SQLException
    {
        return client.query("SELECT concat_ws(' ', %s, %s) FROM albis.shop.%s ORDER BY 1".formatted(ORDER, details, snapshot));
    }

    private List<String> amounts()
            throws SQLException
    {
        return client.query("SELECT concat_ws(' ', customer, CAST(amount AS varchar)) FROM albis.shop.open_amounts ORDER BY 1");
    }

    private List<String> operations(String table)
            throws SQLException
    {
        return client.query("SELECT operation FROM albis.shop.\"%s$snapshots\" ORDER BY snapshot_id".formatted(table));
    }
}
