package io.albis.launcher.server;

import com.google.common.collect.ImmutableMap;

import java.io.IOException;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import static java.nio.file.Files.deleteIfExists;
import static java.nio.file.Files.move;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.writeString;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.util.Objects.requireNonNull;

/**
 * Describes the running server in a file, which other commands use to find it. The file exists while the server is
 * ready.
 *
 * @param foreground whether the server runs until the user stops it, rather than only as long as a command needs it
 */
public record RunningServer(URI uri, long pid, boolean foreground)
{
    public RunningServer
    {
        requireNonNull(uri, "uri is null");
    }

    /**
     * Returns the server that runs now. The file of a server that was killed is ignored.
     */
    public static Optional<RunningServer> find(Installation installation)
            throws IOException
    {
        return ServerLock.isHeld(installation) ? read(installation) : Optional.empty();
    }

    /**
     * Returns the contents of the file, which may be left over from a launcher that was killed.
     */
    public static Optional<RunningServer> read(Installation installation)
            throws IOException
    {
        Map<String, String> properties;
        try {
            properties = new PropertiesText(readString(file(installation))).properties();
        }
        catch (NoSuchFileException _) {
            return Optional.empty();
        }
        return Optional.of(new RunningServer(
                URI.create(properties.get("uri")),
                Long.parseLong(properties.get("pid")),
                Boolean.parseBoolean(properties.get("foreground"))));
    }

    public void write(Installation installation)
            throws IOException
    {
        Path file = file(installation);
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        PropertiesText text = new PropertiesText("").with(ImmutableMap.of(
                "uri", uri.toString(),
                "pid", Long.toString(pid),
                "foreground", Boolean.toString(foreground)));
        writeString(temporary, text.text());
        move(temporary, file, ATOMIC_MOVE);
    }

    public static void delete(Installation installation)
            throws IOException
    {
        deleteIfExists(file(installation));
    }

    public URI webInterface()
    {
        return uri.resolve("/ui/");
    }

    private static Path file(Installation installation)
    {
        return installation.home().resolve("server.properties");
    }
}
