package io.albis.launcher.server;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import static com.google.common.base.Preconditions.checkState;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.Files.copy;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.writeString;
import static java.util.Objects.requireNonNull;

/**
 * A Prometheus process with the files of monitoring/, which reads the metrics every second.
 */
final class TestingPrometheus
        implements AutoCloseable
{
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final HttpClient client = HttpClient.newHttpClient();
    private final URI uri;
    private final Path log;
    private final Process process;

    private TestingPrometheus(URI uri, Path log, Process process)
    {
        this.uri = requireNonNull(uri, "uri is null");
        this.log = requireNonNull(log, "log is null");
        this.process = requireNonNull(process, "process is null");
    }

    /**
     * Starts Prometheus.
     *
     * @param targets the addresses of the nodes of Trino, separated by commas
     */
    static TestingPrometheus start(Path folder, String targets)
            throws IOException
    {
        return start(folder, targets, "");
    }

    /**
     * Starts Prometheus with further jobs at the end of its configuration.
     */
    static TestingPrometheus start(Path folder, String targets, String jobs)
            throws IOException
    {
        createDirectories(folder);
        for (String file : MonitoringFiles.prometheus().texts("rule_files")) {
            copy(MonitoringFiles.FOLDER.resolve(file), folder.resolve(file));
        }
        String configuration = readString(MonitoringFiles.FOLDER.resolve("prometheus.yml"))
                .replace("scrape_interval: 30s", "scrape_interval: 1s\n  evaluation_interval: 1s")
                .replace("[coordinator:8080, worker1:8080, worker2:8080]", "[%s]".formatted(targets))
                // Nothing listens on this port
                .replace("[coordinator:9100, worker1:9100, worker2:9100]", "[127.0.0.1:1]") +
                jobs;
        checkState(!configuration.contains("worker1"), "The configuration has other targets: %s", configuration);
        writeString(folder.resolve("prometheus.yml"), configuration);
        URI uri = TestingNode.freeAddress();
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(
                "prometheus",
                "--config.file=" + folder.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + uri.getPort())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new TestingPrometheus(uri, log, process);
    }

    /**
     * Evaluates an expression.
     *
     * @return the results, each with its labels as {@code metric} and its {@code value}
     */
    List<Yaml> query(String expression)
            throws IOException, InterruptedException
    {
        Yaml response = get("/api/v1/query?query=" + URLEncoder.encode(expression, UTF_8));
        checkState(response.text("status").equals("success"), "%s: %s", expression, response);
        return response.child("data").children("result");
    }

    /**
     * Evaluates an expression until it has results.
     */
    List<Yaml> await(String expression)
            throws IOException, InterruptedException
    {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            checkState(process.isAlive(), "Prometheus has ended: %s", readString(log));
            try {
                List<Yaml> results = query(expression);
                if (!results.isEmpty()) {
                    return results;
                }
            }
            catch (IOException e) {
                // It is starting
                checkState(System.nanoTime() < deadline, "Prometheus does not answer: %s", e);
            }
            checkState(System.nanoTime() < deadline, "No results within %s: %s", LIMIT, expression);
            Thread.sleep(200);
        }
    }

    /**
     * Returns the values of a label, as Grafana asks for them.
     */
    List<String> labelValues(String metric, String label)
            throws IOException, InterruptedException
    {
        return get("/api/v1/label/%s/values?match%%5B%%5D=%s".formatted(label, URLEncoder.encode(metric, UTF_8))).texts("data");
    }

    /**
     * Returns the rules of all groups, with what Prometheus knows about them.
     */
    List<Yaml> rules()
            throws IOException, InterruptedException
    {
        return get("/api/v1/rules").child("data").children("groups").stream()
                .flatMap(group -> group.children("rules").stream())
                .toList();
    }

    private Yaml get(String path)
            throws IOException, InterruptedException
    {
        return Yaml.parse(client.send(HttpRequest.newBuilder(uri.resolve(path)).build(), HttpResponse.BodyHandlers.ofString()).body());
    }

    @Override
    public void close()
            throws InterruptedException
    {
        client.close();
        process.destroyForcibly().waitFor();
    }
}
