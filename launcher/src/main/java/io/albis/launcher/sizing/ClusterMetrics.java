package io.albis.launcher.sizing;

import com.google.common.collect.ImmutableList;
import io.albis.launcher.server.LauncherException;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

/**
 * Reads the metrics of all nodes of a cluster.
 */
final class ClusterMetrics
        implements AutoCloseable
{
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<URI> nodes;

    ClusterMetrics(List<URI> nodes)
    {
        this.nodes = ImmutableList.copyOf(nodes);
    }

    Metrics read()
            throws InterruptedException
    {
        Metrics sum = Metrics.NONE;
        for (URI node : nodes) {
            Metrics metrics = Metrics.parse(get(node.resolve("/metrics")));
            if (metrics.processNanos() == 0) {
                throw new LauncherException("%s has no metrics of the JVM. Its config.properties needs metrics.jmx-object-names as in etc/config.properties".formatted(node));
            }
            sum = sum.plus(metrics);
        }
        return sum;
    }

    private String get(URI uri)
            throws InterruptedException
    {
        HttpRequest request = HttpRequest.newBuilder(uri).header("X-Trino-User", "albis").timeout(Duration.ofMinutes(1)).build();
        try {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new LauncherException("%s answers with status %s".formatted(uri, response.statusCode()));
            }
            return response.body();
        }
        catch (IOException e) {
            throw new LauncherException("%s cannot be read: %s".formatted(uri, e), e);
        }
    }

    @Override
    public void close()
    {
        client.close();
    }
}
