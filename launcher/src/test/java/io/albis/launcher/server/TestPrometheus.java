package io.albis.launcher.server;

import com.google.common.collect.ImmutableMap;
import io.albis.launcher.server.MonitoringFiles.Alert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static java.nio.file.Files.copy;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.writeString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Runs Prometheus with the files of monitoring/: it reads the metrics of a server, and evaluates the queries of the
 * dashboard and the alerts.
 */
@Tag("server")
@Tag("slow")
@ExtendWith(PrometheusCondition.class)
@Timeout(600)
final class TestPrometheus
{
    // Grafana translates this function, which Prometheus does not know
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((?<metric>\\w+), (?<label>\\w+)\\)");

    @TempDir
    Path home;

    @Test
    void testFiles()
            throws IOException, InterruptedException
    {
        promtool("check", "config", "prometheus.yml");
        promtool("check", "rules", "alerts.yml");
    }

    @Test
    void testJobOfSecuredCoordinator()
            throws IOException, InterruptedException
    {
        for (String rules : MonitoringFiles.prometheus().texts("rule_files")) {
            copy(MonitoringFiles.FOLDER.resolve(rules), home.resolve(rules));
        }
        Path password = writeString(home.resolve("password"), "secret");
        Path certificate = writeString(home.resolve("coordinator.crt"), "certificate");
        Path configuration = writeString(
                home.resolve("prometheus.yml"),
                readString(MonitoringFiles.FOLDER.resolve("prometheus.yml")) +
                        DocumentedBlocks.text("docs/monitoring.md", "job: coordinator", "yaml")
                                .replace("/etc/prometheus/trino-password", password.toString())
                                .replace("/etc/prometheus/coordinator.crt", certificate.toString()));
        promtool("check", "config", configuration.toString());
        List<Yaml> jobs = Yaml.parse(readString(configuration)).children("scrape_configs");
        assertThat(jobs).extracting(job -> job.text("job_name")).containsExactly("trino", "node", "trino-coordinator");
        assertThat(jobs.getLast().children("metric_relabel_configs")).isNotEmpty().hasSameSizeAs(jobs.getFirst().children("metric_relabel_configs"));
    }

    @Test
    void testJobOfKubernetes()
            throws IOException, InterruptedException
    {
        for (String rules : MonitoringFiles.prometheus().texts("rule_files")) {
            copy(MonitoringFiles.FOLDER.resolve(rules), home.resolve(rules));
        }
        // The Prometheus of some distributions cannot find pods, and does not know this section
        String job = DocumentedBlocks.text("docs/monitoring.md", "job: kubernetes", "yaml")
                .replaceFirst("(?m)^    kubernetes_sd_configs:\n(?:      .*\n)+", "    static_configs:\n      - targets: [pod:8080]\n");
        assertThat(job).contains("static_configs").doesNotContain("kubernetes_sd_configs");
        Path configuration = writeString(home.resolve("prometheus.yml"), readString(MonitoringFiles.FOLDER.resolve("prometheus.yml")) + job);
        promtool("check", "config", configuration.toString());
        assertThat(Yaml.parse(readString(configuration)).children("scrape_configs").getLast().text("job_name")).startsWith("trino");
    }

    /**
     * Tests with made-up metrics when each alert fires, and what it says.
     */
    @Test
    void testAlerts()
            throws IOException, InterruptedException
    {
        promtool("test", "rules", Installation.current().repository().resolve("launcher/src/test/resources/monitoring/alerts-test.yml").toString());
    }

    private static void promtool(String... arguments)
            throws IOException, InterruptedException
    {
        TestingCommand.of(Stream.concat(Stream.of("promtool"), Stream.of(arguments)).toArray(String[]::new))
                .in(MonitoringFiles.FOLDER)
                .run()
                .checkSucceeded();
    }

    @Test
    void testQueries()
            throws Exception
    {
        Installation installation = TestingNode.install(Installation.current().repository(), home);
        try (TestingNode server = TestingNode.launch(
                        installation,
                        "server",
                        TestingNode.freeAddress(),
                        ImmutableMap.<String, String>builder()
                                .put("coordinator", "true")
                                .put("node-scheduler.include-coordinator", "true")
                                .putAll(DocumentedBlocks.properties("docs/monitoring.md", "properties: metrics"))
                                .buildOrThrow(),
                        ImmutableMap.of("sales", TestingNode.localCatalog(home)))
                .awaitReady()) {
            URI uri = server.client().uri();
            // Nothing listens on the port of the second node
            try (TestingPrometheus prometheus = TestingPrometheus.start(home.resolve("prometheus"), "127.0.0.1:%s, 127.0.0.1:1".formatted(uri.getPort()))) {
                prometheus.await("albis_CommitStats_Commits_AllTime_Count{catalog=\"sales\"} == 0");
                runStatements(server.client());
                prometheus.await("increase(albis_CommitStats_Commits_AllTime_Count{catalog=\"sales\"}[15m]) > 1");
                prometheus.await("increase(albis_WriteStats_AbortedWriters_TotalCount{catalog=\"sales\"}[15m]) > 0");

                for (String query : MonitoringFiles.queries()) {
                    assertThat(prometheus.query(query.replace("$catalog", ".*").replace("$__rate_interval", "1m"))).as(query).isNotEmpty();
                }
                assertThat(MonitoringFiles.queriesOfVariables()).isNotEmpty();
                for (String query : MonitoringFiles.queriesOfVariables()) {
                    Matcher matcher = LABEL_VALUES.matcher(query);
                    assertThat(matcher.matches()).as(query).isTrue();
                    assertThat(prometheus.labelValues(matcher.group("metric"), matcher.group("label"))).as(query).containsExactly("sales");
                }
                for (Alert alert : MonitoringFiles.alerts()) {
                    // Most of them have no results, because nothing is wrong
                    prometheus.query(alert.expression());
                }
                prometheus.await("ALERTS{alertname=\"TrinoNodeDown\", instance=\"127.0.0.1:1\", severity=\"critical\"}");
                List<Yaml> rules = prometheus.rules();
                assertThat(rules.stream().map(rule -> rule.text("name"))).containsExactlyElementsOf(MonitoringFiles.alerts().stream().map(Alert::name).toList());
                assertThat(rules).allMatch(rule -> rule.text("health").equals("ok"));
            }
        }
    }

    /**
     * Reads and writes tables, and fails to write one.
     */
    private static void runStatements(TestingClient client)
            throws SQLException
    {
        client.execute("CREATE SCHEMA sales.test");
        client.execute("CREATE TABLE sales.test.numbers AS SELECT * FROM UNNEST(sequence(1, 1000)) AS t (n)");
        client.execute("INSERT INTO sales.test.numbers VALUES 1");
        assertThat(client.query("SELECT count(*) FROM sales.test.numbers WHERE n < 10")).containsExactly("10");
        assertThatThrownBy(() -> client.execute("INSERT INTO sales.test.numbers SELECT n / (n - 1000) FROM UNNEST(sequence(1, 1000)) AS t (n)"))
                .hasMessageContaining("Division by zero");
    }
}
