package io.albis.launcher.server;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.launcher.server.MonitoringFiles.Alert;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import static java.nio.file.Files.exists;
import static java.nio.file.Files.readString;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the structure of the files in monitoring/. TestMonitoring compares their metrics with those of a server, and
 * TestPrometheus runs Prometheus with them.
 */
final class TestMonitoringFiles
{
    private static final Pattern DOCUMENTED_ALERT = Pattern.compile("(?m)^\\| `(?<name>[A-Z]\\w+)` \\| [^|]+ \\| [^|]+ \\|$");
    private static final Pattern LABEL_OF_SUMMARY = Pattern.compile("\\$labels\\.(?<name>\\w+)");

    @Test
    void testAlerts()
            throws IOException
    {
        List<Alert> alerts = MonitoringFiles.alerts();
        assertThat(alerts).hasSizeGreaterThan(5).allSatisfy(alert -> {
            assertThat(alert.severity()).isIn("warning", "critical");
            assertThat(alert.summary()).isNotBlank();
            // Apart from these, an alert has the labels of its metric
            assertThat(LABEL_OF_SUMMARY.matcher(alert.summary()).results().map(label -> label.group("name")))
                    .isSubsetOf("catalog", "instance", "mountpoint");
        });
        String page = readString(Installation.current().repository().resolve("docs/monitoring.md"));
        page = page.substring(page.indexOf("### Alerts"), page.indexOf("### Grafana"));
        assertThat(alerts.stream().map(Alert::name)).containsExactlyElementsOf(
                DOCUMENTED_ALERT.matcher(page).results().map(row -> row.group("name")).toList());
    }

    @Test
    void testScrapeConfiguration()
            throws IOException
    {
        assertThat(MonitoringFiles.prometheus().texts("rule_files")).isNotEmpty()
                .allMatch(file -> exists(MonitoringFiles.FOLDER.resolve(file)));
        Yaml job = MonitoringFiles.trinoJob();
        assertThat(job.text("metrics_path")).isEqualTo("/metrics");
        // The user of the rules in docs/security.md, who may read metrics and no table
        assertThat(job.child("basic_auth").text("username")).isEqualTo("monitoring");
        assertThat(MonitoringFiles.relabel("JMX_albis_trino_NAME_my_sales_TYPE_CommitStats_ATTRIBUTE_Commits_AllTime_Count"))
                .isEqualTo(Optional.of(ImmutableMap.of("__name__", "albis_CommitStats_Commits_AllTime_Count", "catalog", "my_sales")));
        assertThat(MonitoringFiles.relabel("trino_execution_name_QueryManager_RunningQueries")).isEmpty();
    }

    /**
     * Tests that the rules drop no metric that the alerts or the dashboard use.
     */
    @Test
    void testUsedMetricsAreKept()
            throws IOException
    {
        Set<String> others = ImmutableSet.of("up", "node_filesystem_avail_bytes", "node_filesystem_readonly", "node_filesystem_size_bytes");
        Set<String> used = MonitoringFiles.usedMetrics();
        assertThat(used).hasSizeGreaterThan(15).containsAll(others);
        for (String metric : used) {
            if (!others.contains(metric)) {
                assertThat(metric).matches("(albis|JMX_java_lang)_\\w+");
                assertThat(MonitoringFiles.relabel(metric)).as(metric).isPresent();
            }
        }
    }

    @Test
    void testDashboard()
            throws IOException
    {
        assertThat(MonitoringFiles.queries()).hasSizeGreaterThan(10).doesNotHaveDuplicates();
        List<String> variables = MonitoringFiles.dashboard().child("templating").children("list").stream().map(variable -> variable.text("name")).toList();
        assertThat(variables).containsExactly("datasource", "catalog");
    }
}
