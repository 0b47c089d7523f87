package io.albis.launcher.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

import static java.nio.file.Files.getPosixFilePermissions;
import static java.nio.file.Files.readAllLines;
import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the commands of docs/security.md that add users. Trino's plugin that reads the file is not on Maven Central. It
 * accepts hashes of bcrypt whose cost is at least 8.
 */
@RequiredCommand(value = "command -v htpasswd", reason = "there is no htpasswd on the PATH")
final class TestDocumentedPasswords
{
    private static final String PAGE = "docs/security.md";
    private static final String FILE = "/etc/trino/passwords";

    @TempDir
    Path home;

    @Test
    void testUsers()
            throws IOException, InterruptedException
    {
        assertThat(DocumentedBlocks.properties(PAGE, "properties: passwords")).containsEntry("file.password-file", FILE);
        Path file = home.resolve("passwords");
        // Without -i, the command asks the terminal
        TestingCommand commands = DocumentedBlocks.commands(PAGE, "commands: passwords", FILE, file.toString(), "htpasswd -B", "echo secret | htpasswd -i -B");
        commands.run().checkSucceeded();
        assertThat(getPosixFilePermissions(file)).isEqualTo(fromString("rw-------"));
        assertThat(readAllLines(file)).satisfiesExactly(
                alice -> assertThat(alice).matches("alice:\\$2y\\$10\\$[./A-Za-z0-9]{53}"),
                monitoring -> assertThat(monitoring).matches("monitoring:\\$2y\\$10\\$[./A-Za-z0-9]{53}"));
        for (String user : new String[] {"alice", "monitoring"}) {
            TestingCommand.of("bash", "-c", "echo secret | htpasswd -i -v %s %s".formatted(file, user)).run().checkSucceeded();
        }

        // Others keep their passwords when the commands run again
        commands.run().checkSucceeded();
        assertThat(readAllLines(file)).hasSize(2);
    }
}
