package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
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
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
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
    private TestingCredentials credentials;
    private String secret;
    private Installation installation;
    private URI http;
    private URI https;
    private TestingNode coordinator;
    private TestingNode worker;

    @BeforeAll
    void start(@TempDir Path home)
            throws Exception
    {
        this.home = home;
        credentials = TestingCredentials.create(home);
        secret = DocumentedBlocks.commands("docs/security.md", "commands: secret").run().checkSucceeded().output();
        installation = DocumentedOperations.install(home, PluginZip.DEFAULT.file());
        http = TestingNode.freeAddress();
        https = URI.create("https://127.0.0.1:" + TestingNode.freeAddress().getPort());
        startNodes();
        alice("CREATE SCHEMA albis.sales");
        alice("CREATE TABLE albis.sales.orders AS SELECT * FROM UNNEST(sequence(1, 100)) AS t (n)");
        alice("CREATE SCHEMA albis.salaries");
        alice("CREATE TABLE albis.salaries.paid AS SELECT 1 AS amount");
    }

    private void startNodes()
            throws IOException, InterruptedException, SQLException
    {
        Path accessControl = home.resolve("access-control.properties");
        writeString(accessControl, DocumentedBlocks.text("docs/security.md", "properties: access control of the server", "properties")
                .replace("/etc/trino/rules.json", rules("server").toString()));

        coordinator = TestingNode.launch(
                installation,
                "coordinator",
                http,
                ImmutableMap.<String, String>builder()
                        .putAll(DocumentedBlocks.properties("docs/security.md", "properties: coordinator"))
                        .putAll(DocumentedBlocks.properties("docs/monitoring.md", "properties: metrics"))
                        .put("access-control.config-files", accessControl.toString())
                        .put("http-server.https.keystore.path", credentials.serverPem().toString())
                        .put("http-server.authentication.type", "JWT")
                        .put("http-server.authentication.jwt.key-file", credentials.tokenKey().toString())
                        .putAll(testing(https.getPort()))
                        .buildKeepingLast(),
                ImmutableMap.of("albis", catalog()),
                ImmutableMap.of("TRINO_SHARED_SECRET", secret));
        worker = launchWorker("worker", secret);
        coordinator.awaitReady();
        worker.awaitReady();
        while (!alice("SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'").equals("2")) {
            Thread.sleep(200);
        }
    }

    @AfterAll
    void stop()
            throws InterruptedException
    {
        if (worker != null) {
            worker.close();
        }
        if (coordinator != null) {
            coordinator.close();
        }
    }

    private TestingNode launchWorker(String name, String secret)
            throws IOException
    {
        return TestingNode.launch(
                installation,
                name,
                TestingNode.freeAddress(),
                ImmutableMap.<String, String>builder()
                        .putAll(DocumentedBlocks.properties("docs/security.md", "properties: worker"))
                        .putAll(DocumentedBlocks.properties("docs/monitoring.md", "properties: metrics"))
                        .putAll(testing(TestingNode.freeAddress().getPort()))
                        .buildKeepingLast(),
                ImmutableMap.of("albis", catalog()),
                ImmutableMap.of("TRINO_SHARED_SECRET", secret));
    }

    private Map<String, String> catalog()
            throws IOException
    {
        return ImmutableMap.<String, String>builder()
                .putAll(TestingNode.localCatalog(home))
                .putAll(DocumentedBlocks.properties("docs/security.md", "properties: access control of the catalog"))
                .put("security.config-file", rules("catalog").toString())
                .buildKeepingLast();
    }

    private Path rules(String name)
            throws IOException
    {
        Path file = home.resolve(name + "-rules.json");
        writeString(file, DocumentedBlocks.text("docs/security.md", "rules: " + name, "json"));
        return file;
    }

    /**
     * Returns the properties that differ from those of the documentation.
     */
    private Map<String, String> testing(int port)
    {
        return ImmutableMap.of(
                "http-server.https.port", Integer.toString(port),
                "discovery.uri", https.toString());
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
        assertThat(alice("SELECT count(*) FROM TABLE(albis.system.find_lost_tables())")).isEqualTo("0");
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
        assertThatThrownBy(() -> query("bob", "CALL system.runtime.kill_query('%s', 'no')".formatted(id))).hasMessageContaining("Access Denied");
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

    @Test
    void testMetrics()
            throws IOException, InterruptedException
    {
        assertThat(metrics("monitoring")).isEqualTo(200);
        assertThat(metrics("bob")).isEqualTo(403);
        assertThat(get(worker.client().uri().resolve("/metrics"), "X-Trino-User", "monitoring")).isEqualTo(200);
        // As Prometheus sends the name of the user
        assertThat(get(worker.client().uri().resolve("/metrics"), "Authorization", "Basic " + Base64.getEncoder().encodeToString("monitoring:".getBytes(UTF_8)))).isEqualTo(200);
    }

    /**
     * Tests the documented job for the coordinator, with a token instead of a password, and that of the worker.
     */
    @ExtendWith(PrometheusCondition.class)
    @Test
    void testPrometheus()
            throws IOException, InterruptedException, SQLException
    {
        String password =
                """
                basic_auth:
                  username: monitoring
                  password_file: /etc/prometheus/trino-password
                """.indent(4);
        String token =
                """
                authorization:
                  credentials_file: %s
                tls_config:
                  ca_file: %s
                  server_name: %s
                """.formatted(
                        writeString(home.resolve("token-of-prometheus"), credentials.token("monitoring")),
                        credentials.clientTrust(),
                        TestingCredentials.HOST).indent(4);
        String job = DocumentedBlocks.text("docs/monitoring.md", "job: coordinator", "yaml");
        assertThat(job).contains(password, "[coordinator:8443]");
        try (TestingPrometheus prometheus = TestingPrometheus.start(
                home.resolve("prometheus"),
                worker.client().uri().getAuthority(),
                job.replace(password, token).replace("coordinator:8443", https.getAuthority()))) {
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
        String build = worker.build("albis");
        alice("CREATE TABLE albis.sales.kept AS SELECT 1 AS n");
        DocumentedOperations.backUp(warehouse, backup);
        alice("INSERT INTO albis.sales.kept VALUES 2");

        stop();
        DocumentedOperations.upgrade(installation, PluginZip.DEFAULT.writeOtherBuild(createDirectories(home.resolve("other"))));
        startNodes();
        assertThat(coordinator.build("albis")).isNotEqualTo(build).isEqualTo(worker.build("albis"));
        assertThat(query("bob", "SELECT sum(n) FROM albis.sales.kept")).isEqualTo("3");
        testReader();

        stop();
        DocumentedOperations.restore(warehouse, backup);
        startNodes();
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
        assertThat(get(worker.client().uri().resolve("/v1/task"), "X-Trino-User", "alice")).isIn(401, 403);
    }

    @Test
    void testNodeWithAnotherSecret()
            throws Exception
    {
        try (TestingNode _ = launchWorker("stranger", "YW5vdGhlciBzZWNyZXQ=").awaitReady()) {
            // It has announced itself several times
            Thread.sleep(10_000);
            assertThat(alice("SELECT count(*) FROM system.runtime.nodes")).isEqualTo("2");
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
        return credentials.query(https, user, sql);
    }
}
