package io.albis.launcher.server;

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.writeString;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the rules of workers in docs/security.md, and those in the values for the Helm chart: Prometheus reads the
 * metrics of a worker, and the documented commands shut it down.
 */
@Tag("server")
@Tag("slow")
@Timeout(600)
final class TestRulesOfWorkers
{
    @TempDir
    Path home;

    @Test
    void testDocumentedRules()
            throws Exception
    {
        try (TestingNode worker = launchWorker(
                DocumentedBlocks.text("docs/security.md", "properties: access control of workers", "properties"),
                DocumentedBlocks.text("docs/security.md", "rules: workers", "json"))) {
            assertRules(worker);
            DocumentedBlocks.commands("docs/security.md", "commands: shut down", "http://worker1:8080", worker.client().uri().toString()).run().checkSucceeded();
            worker.await(() -> !worker.isAlive(), "shut down");
        }
    }

    @Test
    void testValuesForHelm()
            throws Exception
    {
        Yaml values = Yaml.parse(DocumentedBlocks.text("docs/installation.md", "values: helm", "yaml")).child("worker");
        Yaml files = values.child("additionalConfigFiles");
        try (TestingNode worker = launchWorker(files.text("access-control.properties"), files.text("worker-rules.json"))) {
            assertRules(worker);
            List<String> command = values.child("lifecycle").child("preStop").child("exec").texts("command");
            assertThat(command).hasSize(3);
            assertThat(command.getLast()).contains("http://localhost:8080/", "--pid=1 ");
            TestingCommand.of(
                            command.get(0),
                            command.get(1),
                            command.getLast().replace("http://localhost:8080", worker.client().uri().toString()).replace("--pid=1 ", "--pid=%s ".formatted(worker.pid())))
                    .run()
                    .checkSucceeded();
            // The command has waited until the worker has ended
            assertThat(worker.isAlive()).isFalse();
        }
    }

    private static void assertRules(TestingNode worker)
            throws IOException, InterruptedException
    {
        assertThat(metrics(worker, "monitoring")).isEqualTo(200);
        assertThat(metrics(worker, "bob")).isEqualTo(403);
        for (String user : new String[] {"bob", "monitoring"}) {
            HttpRequest.Builder shutdown = HttpRequest.newBuilder(worker.client().uri().resolve("/v1/info/state"))
                    .header("X-Trino-User", user)
                    .header("Content-Type", "application/json")
                    .PUT(HttpRequest.BodyPublishers.ofString("\"SHUTTING_DOWN\""));
            assertThat(send(shutdown)).as(user).isEqualTo(403);
        }
        assertThat(worker.isAlive()).isTrue();
    }

    /**
     * Reads the metrics as Prometheus does, and returns the status.
     */
    private static int metrics(TestingNode worker, String user)
            throws IOException, InterruptedException
    {
        return send(HttpRequest.newBuilder(worker.client().uri().resolve("/metrics"))
                .header("Authorization", "Basic " + Base64.getEncoder().encodeToString((user + ":").getBytes(UTF_8))));
    }

    private static int send(HttpRequest.Builder request)
            throws IOException, InterruptedException
    {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    private TestingNode launchWorker(String properties, String rules)
            throws IOException, InterruptedException
    {
        Installation installation = TestingNode.install(Installation.current().repository(), home);
        Path folder = createDirectories(home.resolve("etc"));
        assertThat(properties).contains("/etc/trino/worker-rules.json");
        Path rulesFile = writeString(folder.resolve("worker-rules.json"), rules);
        Path accessControl = writeString(folder.resolve("access-control.properties"), properties.replace("/etc/trino/worker-rules.json", rulesFile.toString()));
        URI address = TestingNode.freeAddress();
        return TestingNode.launch(
                        installation,
                        "worker",
                        address,
                        ImmutableMap.<String, String>builder()
                                .put("coordinator", "false")
                                .put("access-control.config-files", accessControl.toString())
                                .put("shutdown.grace-period", "1s")
                                .putAll(DocumentedBlocks.properties("docs/monitoring.md", "properties: metrics"))
                                .buildOrThrow(),
                        ImmutableMap.of("albis", TestingNode.localCatalog(home)))
                .awaitReady();
    }
}
