package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.createSymbolicLink;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests a cluster that is upgraded node by node, against the advice of docs/operations.md: the coordinator and the
 * worker have different builds of the plugin.
 */
@Tag("server")
@Tag("slow")
@Timeout(600)
final class TestMixedBuilds
{
    private static final String COUNT = "SELECT count(*) FROM albis.test.numbers WHERE n > 0";

    private static final String DIFFERENT_BUILDS = "The nodes of this cluster have different builds of the Albis plugin: build ";

    @TempDir
    Path home;

    private int workers;

    @Test
    void testNodesWithDifferentBuilds()
            throws Exception
    {
        Path repository = Installation.current().repository();
        Path other = createDirectories(home.resolve("repository/target"));
        PluginZip.DEFAULT.writeOtherBuild(other);
        createSymbolicLink(other.resolveSibling("etc"), repository.resolve("etc"));
        Installation installation = TestingNode.install(repository, home.resolve("installation"));
        Installation otherInstallation = TestingNode.install(other.getParent(), home.resolve("other"));

        try (TestingNode coordinator = TestingNode.launch(
                installation,
                "coordinator",
                TestingNode.freeAddress(),
                ImmutableMap.of("coordinator", "true", "node-scheduler.include-coordinator", "false"),
                catalogs())) {
            URI uri = coordinator.client().uri();
            try (TestingNode worker = launchWorker(otherInstallation, uri)) {
                awaitWorker(coordinator, worker);
                assertThat(worker.build("albis")).isNotEqualTo(coordinator.build("albis"));
                coordinator.client().execute("CREATE SCHEMA albis.test");
                assertThatThrownBy(() -> coordinator.client().execute("CREATE TABLE albis.test.numbers AS SELECT 1 AS n"))
                        .hasMessageContaining("Unexpected response from %s/v1/task/".formatted(worker.client().uri()))
                        .hasStackTraceContaining(DIFFERENT_BUILDS)
                        .hasStackTraceContaining(worker.build("albis"))
                        .hasStackTraceContaining(coordinator.build("albis"));
                assertThat(coordinator.client().query("SHOW TABLES FROM albis.test")).isEmpty();
            }
            try (TestingNode worker = launchWorker(installation, uri)) {
                awaitWorker(coordinator, worker);
                assertThat(worker.build("albis")).isEqualTo(coordinator.build("albis"));
                coordinator.client().execute("CREATE TABLE albis.test.numbers AS SELECT 1 AS n");
                assertThat(coordinator.client().query(COUNT)).containsExactly("1");
            }
            try (TestingNode worker = launchWorker(otherInstallation, uri)) {
                awaitWorker(coordinator, worker);
                assertThatThrownBy(() -> coordinator.client().query(COUNT)).hasStackTraceContaining(DIFFERENT_BUILDS);
                assertThat(debug(uri)).contains("Unexpected response from " + worker.client().uri(), DIFFERENT_BUILDS);
            }
        }
    }

    /**
     * Returns what the command line client prints about a query that fails.
     */
    private static String debug(URI coordinator)
            throws IOException, InterruptedException
    {
        return TestingCommand.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        Installation.current().server().resolve("cli/trino-cli.jar").toString(),
                        "--server",
                        coordinator.toString(),
                        "--debug",
                        "--execute",
                        COUNT)
                .run()
                .checkFailed()
                .output();
    }

    private TestingNode launchWorker(Installation installation, URI coordinator)
            throws IOException
    {
        return TestingNode.launch(
                installation,
                "worker" + ++workers,
                TestingNode.freeAddress(),
                ImmutableMap.of("coordinator", "false", "discovery.uri", coordinator.toString()),
                catalogs());
    }

    /**
     * Waits until the coordinator knows this worker and none of the earlier ones.
     */
    private static void awaitWorker(TestingNode coordinator, TestingNode worker)
            throws Exception
    {
        coordinator.awaitReady();
        worker.awaitReady();
        while (!coordinator.client().query("SELECT node_id FROM system.runtime.nodes WHERE state = 'active' AND NOT coordinator").equals(ImmutableList.of(worker.name()))) {
            Thread.sleep(200);
        }
    }

    private Map<String, Map<String, String>> catalogs()
            throws IOException
    {
        return ImmutableMap.of("albis", TestingNode.localCatalog(home));
    }
}
