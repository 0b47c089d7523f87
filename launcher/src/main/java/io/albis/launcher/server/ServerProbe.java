package io.albis.launcher.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import static java.util.Objects.requireNonNull;

/**
 * Checks whether a server is ready.
 */
public final class ServerProbe
        implements AutoCloseable
{
    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpRequest request;

    public ServerProbe(URI server)
    {
        requireNonNull(server, "server is null");
        request = HttpRequest.newBuilder(server.resolve("/v1/info"))
                .timeout(Duration.ofSeconds(5))
                .build();
    }

    public boolean isReady()
            throws InterruptedException
    {
        try {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200 && response.body().replace(" ", "").contains("\"starting\":false");
        }
        catch (IOException _) {
            return false;
        }
    }

    @Override
    public void close()
    {
        client.close();
    }
}
