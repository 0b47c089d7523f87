package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Base64;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.Files.copy;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.writeString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Follows the documentation from the zip to a secured cluster with Prometheus, a backup, an upgrade, and a restore.
 * Tests the properties and the rules of docs/security.md on its coordinator and its worker. Users authenticate with JWT
 * instead of passwords, because Trino's plugin for passwords is not on Maven Central.
 */
@Tag("server")
@Tag("slow")
@RequiredCommand(value = "command -v unzip && command -v rsync && command -v openssl", reason = "there is no unzip, no rsync, or no openssl on the PATH")
@TestInstance(PER_CLASS)
@Timeout(600)
final class TestSecuredCluster
{
    private Path home;
    private TestingSecuredCluster cluster;
    private TestingCredentials credentials;
    private URI http;
    private URI https;

    @BeforeAll
    void start(@TempDir Path home)
            throws Exception
    {
        this.home = home;
        cluster = TestingSecuredCluster.start(home);
        credentials = cluster.credentials();
        http = cluster.http();
        https = cluster.https();
        alice("CREATE SCHEMA albis.sales");
        alice("CREATE TABLE albis.sales.orders AS SELECT * FROM UNNEST(sequence(1, 100)) AS t (n)");
        alice("CREATE SCHEMA albis.salaries");
        alice("CREATE TABLE albis.salaries.paid AS SELECT 1 AS amount");
    }

    @AfterAll
    void stop()
            throws InterruptedException
    {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void testAdministrator()
            throws SQLException
    {
        alice("CREATE TABLE albis.sales.copy AS SELECT * FROM albis.sales.orders");
        alice("DELETE FROM albis.sales.copy WHERE n = 1");
        alice("ALTER TABLE albis.sales.copy EXECUTE expire_snapshots(retention_threshold => '7d')");
        assertThat(alice("SELECT sum(n) FROM albis.sales.copy")).isEqualTo("5049");
        assertThat(alice("SELECT count(*) FROM albis.sales.copy FOR VERSION AS OF 1")).isEqualTo("100");
        assertThat(alice("SELECT count(*) FROM TABLE(albis.system.table_changes('sales', 'copy', 1, 2))")).isEqualTo("1");
        alice("ALTER TABLE albis.sales.copy ADD COLUMN m bigint");
        alice("COMMENT ON TABLE albis.sales.copy IS 'a copy'");
        assertThat(alice("SELECT count(m) FROM albis.sales.copy")).isEqualTo("0");
        assertThat(alice("SELECT count(*) FROM TABLE(albis.system.find_lost_tables()) WHERE table_name = 'copy'")).isEqualTo("0");
        alice("DROP TABLE albis.sales.copy");
        alice("CALL albis.system.vacuum(retention_threshold => '7d')");
        assertThat(alice("SELECT count(*) FROM TABLE(albis.system.vacuum_candidates(retention_threshold => '7d'))")).isEqualTo("0");
    }

    @Test
    void testReader()
            throws SQLException
    {
        assertThat(query("bob", "SELECT sum(n) FROM albis.sales.orders")).isEqualTo("5050");
        assertThat(query("bob", "SELECT sum(n) FROM albis.sales.orders FOR VERSION AS OF 1")).isEqualTo("5050");
        assertThat(query("bob", "SELECT count(*) FROM albis.sales.\"orders$snapshots\"")).isEqualTo("1");
        for (String statement : new String[] {
                "SELECT * FROM albis.salaries.paid",
                "SELECT * FROM albis.salaries.paid FOR VERSION AS OF 1",
                "SELECT * FROM albis.salaries.\"paid$snapshots\"",
                "INSERT INTO albis.sales.orders VALUES 1",
                "DELETE FROM albis.sales.orders WHERE n = 1",
                "TRUNCATE TABLE albis.sales.orders",
                "CREATE TABLE albis.sales.mine (n bigint)",
                "CREATE OR REPLACE TABLE albis.sales.orders AS SELECT 1 AS n",
                "DROP TABLE albis.sales.orders",
                "ALTER TABLE albis.sales.orders ADD COLUMN m bigint",
                "ALTER TABLE albis.sales.orders DROP COLUMN n",
                "ALTER TABLE albis.sales.orders RENAME TO albis.sales.mine",
                "COMMENT ON TABLE albis.sales.orders IS 'mine'",
                "COMMENT ON COLUMN albis.sales.orders.n IS 'mine'",
                "ALTER TABLE albis.sales.orders EXECUTE expire_snapshots(retention_threshold => '7d')",
                "ALTER TABLE albis.sales.orders EXECUTE rollback_to_snapshot(snapshot_id => 1)",
                "CALL albis.system.vacuum(retention_threshold => '7d')",
                "CALL albis.system.unregister_table('sales', 'orders')",
                "CALL albis.system.register_table('sales', 'mine', 'local:///warehouse/sales/mine')",
                "SELECT * FROM TABLE(albis.system.vacuum_candidates(retention_threshold => '7d'))",
                "SELECT * FROM TABLE(albis.system.find_lost_tables())",
                "SELECT * FROM TABLE(albis.system.table_changes('sales', 'orders', 1, 1))",
        }) {
            assertThatThrownBy(() -> query("bob", statement)).as(statement).hasMessageContaining("Access Denied");
        }
    }

    /**
     * Tests that tools show the tables that a user may read, and no others.
     */
    @Test
    void testToolOfReader()
            throws SQLException
    {
        ImmutableList.Builder<String> tables = ImmutableList.builder();
        try (Connection connection = credentials.connect(https, "bob");
                ResultSet rows = connection.getMetaData().getTables("albis", null, "%", null)) {
            while (rows.next()) {
                tables.add(rows.getString("TABLE_SCHEM") + "." + rows.getString("TABLE_NAME"));
            }
        }
        assertThat(tables.build()).contains("sales.orders").noneMatch(table -> table.startsWith("salaries."));
    }

    @Test
    void testUserWithoutRules()
            throws SQLException
    {
        for (String user : new String[] {"eve", "monitoring"}) {
            assertThat(query(user, "SHOW CATALOGS")).isEmpty();
            for (String table : new String[] {"albis.sales.orders", "system.runtime.nodes", "system.runtime.queries"}) {
                assertThatThrownBy(() -> query(user, "SELECT * FROM " + table)).as("%s: %s", user, table).hasMessageContaining("Access Denied");
            }
        }
    }

    /**
     * Tests that only an administrator sees and kills the queries of others. Statements contain values of rows.
     */
    @Test
    void testQueriesOfOthers()
            throws IOException, InterruptedException, SQLException
    {
        alice("SELECT 4711 AS salary");
        String id = alice("SELECT query_id FROM system.runtime.queries WHERE query = 'SELECT 4711 AS salary'");
        URI queries = https.resolve("/v1/query/");
        assertThat(send("alice", HttpRequest.newBuilder(https.resolve("/v1/query"))).body()).contains(id, "4711 AS salary");
        assertThat(send("alice", HttpRequest.newBuilder(queries.resolve(id))).statusCode()).isEqualTo(200);
        // The query has ended, so there is nothing to kill
        assertThat(send("alice", kill(queries, id)).statusCode()).isEqualTo(409);
        for (String user : new String[] {"bob", "eve", "monitoring"}) {
            assertThat(query(user, "SELECT 1")).isEqualTo("1");
            HttpResponse<String> list = send(user, HttpRequest.newBuilder(https.resolve("/v1/query")));
            assertThat(list.statusCode()).as(user).isEqualTo(200);
            assertThat(list.body()).as(user).contains("SELECT 1").doesNotContain(id, "4711");
            assertThat(send(user, HttpRequest.newBuilder(queries.resolve(id))).statusCode()).as(user).isEqualTo(403);
            assertThat(send(user, kill(queries, id)).statusCode()).as(user).isEqualTo(403);
        }
        assertThat(query("bob", "SELECT array_join(array_agg(DISTINCT \"user\"), ',') FROM system.runtime.queries")).isEqualTo("bob");
        String kill = "CALL system.runtime.kill_query('%s', 'no')".formatted(id);
        assertThatThrownBy(() -> query("bob", kill)).hasMessageContaining("Access Denied");
        assertThatThrownBy(() -> query("alice", kill)).hasMessageContaining("Target query is not running");
    }

    private static HttpRequest.Builder kill(URI queries, String id)
    {
        return HttpRequest.newBuilder(queries.resolve(id + "/killed")).PUT(HttpRequest.BodyPublishers.ofString("no longer needed"));
    }

    @Test
    void testWithoutAuthentication()
            throws IOException, InterruptedException
    {
        assertThat(DocumentedBlocks.commands("docs/security.md", "commands: refused", "http://coordinator:8080", http.toString())
                .run()
                .checkSucceeded()
                .output())
                .isIn("401\n", "403\n");
        for (URI uri : new URI[] {http, https}) {
            try (HttpClient client = credentials.httpClient()) {
                HttpResponse<String> response = client.send(
                        HttpRequest.newBuilder(uri.resolve("/v1/statement"))
                                .header("X-Trino-User", "alice")
                                .POST(HttpRequest.BodyPublishers.ofString("SELECT 1"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(response.statusCode()).as(uri.toString()).isIn(401, 403);
            }
        }
    }

    @Test
    void testCertificate()
            throws IOException
    {
        assertThat(credentials.certificateOf(https)).isEqualTo(credentials.certificate());
    }

    /**
     * Tests that the command line client trusts the documented certificate. It logs in with a token.
     */
    @Test
    void testCommandLineClient()
            throws IOException, InterruptedException
    {
        String token = "--access-token " + credentials.token("alice");
        TestingCommand logIn = DocumentedBlocks.commands("docs/security.md", "commands: log in", ":8443", ":" + https.getPort(), "--password", token)
                .in(cluster.configuration("coordinator"))
                .with("PATH", TestingCommandLineClient.path(home.resolve("commands"), TestingCredentials.HOST));
        assertThat(logIn.run().checkSucceeded().output()).contains("\"2\"\n");

        String withoutCertificate = logIn.arguments().getLast().replace("--truststore-path coordinator.crt ", "");
        assertThat(new TestingCommand(ImmutableList.of("bash", "-c", withoutCertificate), logIn.directory(), logIn.environment()).run().checkFailed().output())
                .contains("unable to find valid certification path");
    }

    @Test
    void testMetrics()
            throws IOException, InterruptedException
    {
        assertThat(metrics("monitoring")).isEqualTo(200);
        assertThat(metrics("bob")).isEqualTo(403);
        assertThat(DocumentedBlocks.commands(
                        "docs/monitoring.md",
                        "commands: metrics of a secured coordinator",
                        "-u monitoring",
                        "-H 'Authorization: Bearer %s' --connect-to ::%s".formatted(credentials.token("monitoring"), https.getAuthority()))
                .in(cluster.configuration("coordinator"))
                .run()
                .checkSucceeded()
                .output())
                .contains("JMX_albis_trino_NAME_albis_TYPE_CommitStats_ATTRIBUTE_Retries_TotalCount");
        assertThat(get(cluster.worker().client().uri().resolve("/metrics"), "X-Trino-User", "monitoring")).isEqualTo(200);
        // As Prometheus sends the name of the user
        assertThat(get(cluster.worker().client().uri().resolve("/metrics"), "Authorization", "Basic " + Base64.getEncoder().encodeToString("monitoring:".getBytes(UTF_8)))).isEqualTo(200);
    }

    /**
     * Tests the documented job for the coordinator, with a token instead of a password, and that of the worker.
     */
    @ExtendWith(PrometheusCondition.class)
    @Test
    void testPrometheus()
            throws IOException, InterruptedException, SQLException
    {
        String password = "    basic_auth:\n      username: monitoring\n      password_file: /etc/prometheus/trino-password\n";
        String token = "    authorization:\n      credentials_file: %s\n".formatted(
                writeString(home.resolve("token-of-prometheus"), credentials.token("monitoring")));
        String certificate = "      ca_file: /etc/prometheus/coordinator.crt\n";
        String job = DocumentedBlocks.text("docs/monitoring.md", "job: coordinator", "yaml");
        String address = "coordinator.example.com:8443";
        assertThat(job).contains(password, certificate, "[%s]".formatted(address));
        try (TestingPrometheus prometheus = TestingPrometheus.start(
                home.resolve("prometheus"),
                cluster.worker().client().uri().getAuthority(),
                job.replace(password, token)
                        // Prometheus takes this name from the address otherwise
                        .replace(certificate, "      ca_file: %s\n      server_name: %s\n".formatted(credentials.clientTrust(), TestingCredentials.HOST))
                        .replace(address, https.getAuthority()))) {
            prometheus.await("up{job=\"trino-coordinator\", instance=\"%s\"} == 1".formatted(https.getAuthority()));
            prometheus.await("up{job=\"trino\"} == 1");
            alice("CREATE TABLE albis.sales.measured AS SELECT * FROM albis.sales.orders");
            prometheus.await("albis_CommitStats_Commits_AllTime_Count{job=\"trino-coordinator\", catalog=\"albis\"} > 0");
            prometheus.await("albis_WriteStats_RowGroups_TotalCount{job=\"trino\", catalog=\"albis\"} > 0");
            alice("DROP TABLE albis.sales.measured");
        }
    }

    /**
     * Tests that the rules still apply, and that the nodes still find each other.
     */
    @Test
    void testBackUpUpgradeRestore()
            throws Exception
    {
        Path warehouse = home.resolve("local/warehouse");
        Path backup = home.resolve("backup/warehouse");
        String build = cluster.worker().build("albis");
        alice("CREATE TABLE albis.sales.kept AS SELECT 1 AS n");
        DocumentedOperations.backUp(warehouse, backup);
        alice("INSERT INTO albis.sales.kept VALUES 2");

        stop();
        cluster.upgrade(PluginZip.DEFAULT.writeOtherBuild(createDirectories(home.resolve("other"))));
        cluster.startNodes();
        assertThat(cluster.coordinator().build("albis")).isNotEqualTo(build).isEqualTo(cluster.worker().build("albis"));
        assertThat(query("bob", "SELECT sum(n) FROM albis.sales.kept")).isEqualTo("3");
        testReader();

        stop();
        cluster.goBack();
        cluster.startNodes();
        assertThat(cluster.worker().build("albis")).isEqualTo(build);
        assertThat(query("bob", "SELECT sum(n) FROM albis.sales.kept")).isEqualTo("3");

        stop();
        DocumentedOperations.restore(warehouse, backup);
        cluster.startNodes();
        for (String statement : DocumentedOperations.restored()) {
            assertThat(alice(statement)).isNotEqualTo("0");
        }
        assertThat(query("bob", "SELECT sum(n) FROM albis.sales.kept")).isEqualTo("1");
        testReader();
        testUserWithoutRules();
        alice("INSERT INTO albis.sales.kept VALUES 5");
        assertThat(query("bob", "SELECT sum(n) FROM albis.sales.kept")).isEqualTo("6");
        alice("DROP TABLE albis.sales.kept");
    }

    /**
     * Tests that only nodes can give a worker a task, or read its state.
     */
    @Test
    void testTasksOfWorker()
            throws IOException, InterruptedException
    {
        assertThat(get(cluster.worker().client().uri().resolve("/v1/task"), "X-Trino-User", "alice")).isIn(401, 403);
    }

    @Test
    void testNodeWithAnotherSecret()
            throws Exception
    {
        Path configuration = cluster.createConfiguration("stranger");
        writeString(configuration.resolve("trino.env"), "TRINO_SHARED_SECRET=YW5vdGhlciBzZWNyZXQ=\n");
        cluster.writeRulesOfCatalog("stranger");
        try (TestingNode _ = cluster.launchWorker("stranger").awaitReady()) {
            // It has announced itself several times
            Thread.sleep(10_000);
            assertThat(alice("SELECT count(*) FROM system.runtime.nodes")).isEqualTo("2");
        }
    }

    /**
     * Tests that each node needs the rules of the catalog.
     */
    @Test
    void testNodeWithoutRulesOfCatalog()
            throws Exception
    {
        copy(cluster.configuration("worker").resolve("trino.env"), cluster.createConfiguration("incomplete").resolve("trino.env"));
        try (TestingNode incomplete = cluster.launchWorker("incomplete")) {
            assertThatThrownBy(incomplete::awaitReady).hasMessageContaining("incomplete has ended").hasMessageContaining("Config file does not exist");
        }
    }

    private int metrics(String user)
            throws IOException, InterruptedException
    {
        return get(https.resolve("/metrics"), "Authorization", "Bearer " + credentials.token(user));
    }

    private HttpResponse<String> send(String user, HttpRequest.Builder request)
            throws IOException, InterruptedException
    {
        try (HttpClient client = credentials.httpClient()) {
            return client.send(request.header("Authorization", "Bearer " + credentials.token(user)).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private int get(URI uri, String header, String value)
            throws IOException, InterruptedException
    {
        try (HttpClient client = credentials.httpClient()) {
            return client.send(HttpRequest.newBuilder(uri).header(header, value).build(), HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    private String alice(String sql)
            throws SQLException
    {
        return query("alice", sql);
    }

    /**
     * Runs a statement and returns the first column of its only row, or an empty text if it has no rows.
     */
    private String query(String user, String sql)
            throws SQLException
    {
        return cluster.query(user, sql);
    }
}
