package io.albis.launcher.server;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a server has the metrics that the alerts and the dashboard of monitoring/ use, under the names that the
 * rules of prometheus.yml give them.
 */
@Tag("server")
final class TestMonitoring
{
    private static final Path REPOSITORY = Installation.current().repository();
    // Metrics of Prometheus itself and of node_exporter
    private static final Set<String> OTHERS = ImmutableSet.of("up", "node_filesystem_avail_bytes", "node_filesystem_readonly", "node_filesystem_size_bytes");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^(\\w+)(?:\\{.*})? (\\S+)$");

    @TempDir
    Path home;

    @Test
    void testMetrics()
            throws Exception
    {
        Installation installation = TestingNode.install(REPOSITORY, home);
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
            TestingClient client = server.client();
            client.execute("CREATE SCHEMA sales.test");
            client.execute("CREATE TABLE sales.test.numbers AS SELECT * FROM UNNEST(sequence(1, 1000)) AS t (n)");
            client.execute("INSERT INTO sales.test.numbers VALUES 1");
            assertThat(client.query("SELECT count(*) FROM sales.test.numbers WHERE n < 10")).containsExactly("10");

            // The documented command shows the metrics of all beans
            assertThat(DocumentedBlocks.commands("docs/monitoring.md", "commands: metrics", "http://coordinator:8080", client.uri().toString())
                    .run()
                    .checkSucceeded()
                    .output())
                    .contains("JMX_albis_trino_NAME_sales_TYPE_CommitStats_ATTRIBUTE_Retries_TotalCount");

            Map<String, Double> metrics = metrics(client.uri());
            assertThat(MonitoringFiles.usedMetrics()).hasSizeGreaterThan(15);
            assertThat(Sets.difference(MonitoringFiles.usedMetrics(), metrics.keySet())).isEqualTo(OTHERS);
            // The schema has no versions, and the table has two
            assertThat(metrics.get("albis_CommitStats_Commits_AllTime_Count")).isEqualTo(2);
            assertThat(metrics.get("albis_CommitStats_UnknownOutcomes_TotalCount")).isEqualTo(0);
            assertThat(metrics.get("albis_WriteStats_RowGroups_TotalCount")).isEqualTo(2);
            assertThat(metrics.get("albis_ScanStats_Rows_TotalCount")).isGreaterThanOrEqualTo(10);
            assertThat(metrics.get("JMX_java_lang_TYPE_Memory_ATTRIBUTE_HeapMemoryUsage_used")).isPositive();
        }
    }

    /**
     * Returns the metrics of the server, as Prometheus stores them.
     */
    private static Map<String, Double> metrics(URI server)
            throws IOException, InterruptedException
    {
        ImmutableMap.Builder<String, Double> metrics = ImmutableMap.builder();
        for (MatchResult sample : SAMPLE.matcher(scrape(server)).results().toList()) {
            Map<String, String> labels = MonitoringFiles.relabel(sample.group(1)).orElse(ImmutableMap.of());
            if (!labels.isEmpty()) {
                assertThat(labels.getOrDefault("catalog", "sales")).isEqualTo("sales");
                metrics.put(labels.get(MonitoringFiles.NAME), Double.valueOf(sample.group(2)));
            }
        }
        return metrics.buildOrThrow();
    }

    private static String scrape(URI server)
            throws IOException, InterruptedException
    {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(server.resolve("/metrics")).header("X-Trino-User", "monitoring").build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            return response.body();
        }
    }
}
