package io.albis.launcher.server;

import java.io.IOException;
import java.nio.file.Path;

import static com.google.common.base.Preconditions.checkState;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.writeString;

/**
 * The command {@code trino}, Trino's command line client, in a folder for the PATH.
 */
final class TestingCommandLineClient
{
    private TestingCommandLineClient() {}

    /**
     * Writes the command, and returns a PATH with it.
     *
     * @param hosts the names of this machine that the client knows
     */
    static String path(Path folder, String... hosts)
            throws IOException
    {
        Path names = writeString(createDirectories(folder).resolve("hosts"), "127.0.0.1 localhost %s\n".formatted(String.join(" ", hosts)));
        Path client = writeString(
                folder.resolve("trino"),
                "#!/usr/bin/env bash\nexec '%s' -Djdk.net.hosts.file='%s' --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Dorg.jline.terminal.dumb=true -jar '%s' \"$@\"\n".formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        names,
                        Installation.current().server().resolve("cli/trino-cli.jar")));
        checkState(client.toFile().setExecutable(true), "%s cannot be made executable", client);
        return folder + ":" + System.getenv("PATH");
    }
}
