package io.albis.launcher;

import io.albis.launcher.server.Installation;
import io.albis.launcher.server.InterruptTasks;
import io.albis.launcher.server.LauncherException;
import io.albis.launcher.server.LocalServer;
import io.albis.launcher.server.RunningServer;
import io.albis.launcher.server.ServerProbe;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The server that a command uses: either a server that the command starts and stops, or one that the user already runs.
 */
final class ServerAccess
        implements AutoCloseable
{
    private final RunningServer running;
    private final Optional<LocalServer> own;

    private ServerAccess(RunningServer running, Optional<LocalServer> own)
    {
        this.running = requireNonNull(running, "running is null");
        this.own = requireNonNull(own, "own is null");
    }

    static LocalServer startExclusive(Installation installation, boolean foreground)
            throws IOException, InterruptedException
    {
        return start(installation, foreground).orElseThrow(() -> new LauncherException("A server is running on this data already%s. Stop it first, or use it: bin/albis sql".formatted(description(installation))));
    }

    static ServerAccess startOrUse(Installation installation)
            throws IOException, InterruptedException
    {
        Optional<LocalServer> own = start(installation, false);
        if (own.isPresent()) {
            return new ServerAccess(own.orElseThrow().running(), own);
        }
        RunningServer running = RunningServer.read(installation)
                .filter(RunningServer::foreground)
                .orElseThrow(() -> new LauncherException("Another command is using this data with a server of its own%s. Try again when it is done".formatted(description(installation))));
        System.out.println("Using the server that is running already: " + running.webInterface());
        return new ServerAccess(running, Optional.empty());
    }

    private static Optional<LocalServer> start(Installation installation, boolean foreground)
            throws IOException, InterruptedException
    {
        long start = System.nanoTime();
        Optional<LocalServer> server = LocalServer.start(installation, foreground);
        server.ifPresent(started -> System.out.println("Trino is ready after %.1f s. Web UI: %s".formatted((System.nanoTime() - start) / 1e9, started.running().webInterface())));
        return server;
    }

    private static String description(Installation installation)
    {
        try {
            return RunningServer.read(installation)
                    .map(server -> " (process %s, %s)".formatted(server.pid(), server.uri()))
                    .orElse("");
        }
        catch (IOException _) {
            return "";
        }
    }

    /**
     * Returns the address of a server that others have started, after a check that it answers.
     */
    static URI checkAnswers(URI uri)
            throws InterruptedException
    {
        if (!"http".equals(uri.getScheme()) || uri.getHost() == null || uri.getPort() == -1) {
            throw new LauncherException("Not the address of a server: '%s'. It looks like http://127.0.0.1:8080".formatted(uri));
        }
        try (ServerProbe probe = new ServerProbe(uri)) {
            if (!probe.isReady()) {
                throw new LauncherException("No Trino server answers at " + uri);
            }
        }
        return uri;
    }

    URI uri()
    {
        return running.uri();
    }

    RunningServer running()
    {
        return running;
    }

    /**
     * Returns what is done if the command is interrupted, before its own server stops.
     */
    InterruptTasks interruptTasks()
    {
        return own.map(LocalServer::interruptTasks).orElseGet(InterruptTasks::ofProcess);
    }

    @Override
    public void close()
    {
        own.ifPresent(LocalServer::close);
    }
}
