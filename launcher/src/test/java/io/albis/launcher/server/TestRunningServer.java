package io.albis.launcher.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class TestRunningServer
{
    @TempDir
    Path home;

    @Test
    void testRoundTrip()
            throws IOException
    {
        Installation installation = new Installation(home, home, home);
        assertThat(RunningServer.read(installation)).isEmpty();

        RunningServer server = new RunningServer(URI.create("http://127.0.0.1:1234"), 5678, true);
        server.write(installation);
        assertThat(RunningServer.read(installation)).isEqualTo(Optional.of(server));
        assertThat(server.webInterface()).isEqualTo(URI.create("http://127.0.0.1:1234/ui/"));

        RunningServer.delete(installation);
        assertThat(RunningServer.read(installation)).isEmpty();
    }

    @Test
    void testLock()
            throws IOException
    {
        Installation installation = new Installation(home, home, home);
        ServerLock lock = ServerLock.tryAcquire(installation).orElseThrow();
        assertThat(ServerLock.tryAcquire(installation)).isEmpty();
        lock.close();
        ServerLock.tryAcquire(installation).orElseThrow().close();
    }

    /**
     * The file of a server that was killed remains, and its process may be another one since then.
     */
    @Test
    void testServerThatWasKilled()
            throws IOException
    {
        Installation installation = new Installation(home, home, home);
        assertThat(RunningServer.find(installation)).isEmpty();

        RunningServer server = new RunningServer(URI.create("http://127.0.0.1:1234"), ProcessHandle.current().pid(), true);
        ServerLock lock = ServerLock.tryAcquire(installation).orElseThrow();
        assertThat(RunningServer.find(installation)).isEmpty();
        server.write(installation);
        assertThat(RunningServer.find(installation)).isEqualTo(Optional.of(server));
        lock.close();
        assertThat(RunningServer.find(installation)).isEmpty();
    }

    @Test
    void testPortStaysTheSame()
            throws IOException
    {
        Installation installation = new Installation(home, home, home);
        int port = ServerPort.choose(installation);
        assertThat(port).isPositive();
        assertThat(ServerPort.choose(installation)).isEqualTo(port);
    }
}
