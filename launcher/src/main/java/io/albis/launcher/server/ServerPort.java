package io.albis.launcher.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

import static java.nio.file.Files.readString;
import static java.nio.file.Files.writeString;

/**
 * Chooses a free port. Prefers the port of the previous run, so that links to the web interface remain valid.
 */
final class ServerPort
{
    private ServerPort() {}

    static int choose(Installation installation)
            throws IOException
    {
        Path file = installation.home().resolve("server.port");
        int port = last(file);
        try {
            port = probe(port);
        }
        catch (IOException _) {
            port = probe(0);
        }
        writeString(file, Integer.toString(port));
        return port;
    }

    private static int last(Path file)
            throws IOException
    {
        try {
            int port = Integer.parseInt(readString(file).strip());
            return port > 0 && port < 1 << Character.SIZE ? port : 0;
        }
        catch (NoSuchFileException | NumberFormatException _) {
            return 0;
        }
    }

    private static int probe(int port)
            throws IOException
    {
        try (ServerSocket socket = new ServerSocket()) {
            // Connections of the previous server that are still closing must not block its port
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket.getLocalPort();
        }
    }
}
