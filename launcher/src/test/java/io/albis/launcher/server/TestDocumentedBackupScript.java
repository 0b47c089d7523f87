package io.albis.launcher.server;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.exists;
import static java.nio.file.Files.getAttribute;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.writeString;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the script of docs/operations.md for backups on a local disk on files like those of a warehouse.
 * TestDocumentedInstallation runs it on a warehouse.
 */
@RequiredCommand(value = "rsync --version", reason = "there is no rsync on the PATH")
final class TestDocumentedBackupScript
{
    private static final String ENTRY = "sales/tables/orders/00000000000000000001.json";
    private static final String TABLE = "sales/orders-1";

    @TempDir
    Path home;

    private Path warehouse;
    private Path backup;

    @BeforeEach
    void setUp()
            throws IOException
    {
        warehouse = home.resolve("warehouse");
        backup = home.resolve("backup").resolve("warehouse");
        write(".albis", "warehouse");
        write("sales/.schema/00000000000000000001.json", "schema");
        write(ENTRY, "{\"folder\":{\"path\":\"%s\"}}".formatted(TABLE));
        write(TABLE + "/versions/hint", "1");
        write(TABLE + "/versions/00000000000000000001.json", "first");
        write(TABLE + "/rg-1/data", "rows");
    }

    @Test
    void testBackups()
            throws IOException, InterruptedException
    {
        DocumentedOperations.backUp(warehouse, backup);
        Map<String, String> first = files(warehouse);
        first.remove(TABLE + "/versions/hint");
        assertThat(files(backup)).isEqualTo(first);

        addVersion();
        Files.delete(warehouse.resolve(TABLE + "/rg-1/data"));
        DocumentedOperations.backUp(warehouse, backup);
        Map<String, String> second = files(warehouse);
        second.remove(TABLE + "/versions/hint");
        assertThat(files(backup)).isEqualTo(second);
        Path before = backup.resolveSibling("warehouse.before");
        assertThat(files(before)).isEqualTo(first);
        assertThat(getAttribute(backup.resolve(ENTRY), "unix:ino")).isEqualTo(getAttribute(before.resolve(ENTRY), "unix:ino"));
    }

    /**
     * The disk fails when everything but the rows is copied.
     */
    @Test
    void testBackupThatFails()
            throws IOException, InterruptedException
    {
        DocumentedOperations.backUp(warehouse, backup);
        Map<String, String> first = files(backup);
        addVersion();
        TestingCommand.Result result = DocumentedOperations.backUpCommand(warehouse, backup)
                .withFailing("rsync", "*'/versions/* '*", home.resolve("commands"))
                .run();
        assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
        assertThat(exists(backup.resolveSibling("warehouse.new").resolve(TABLE + "/versions/00000000000000000002.json"))).isTrue();
        assertThat(files(backup)).isEqualTo(first);

        DocumentedOperations.backUp(warehouse, backup);
        assertThat(files(backup)).containsKeys(TABLE + "/versions/00000000000000000002.json", TABLE + "/rg-2/data");
        assertThat(exists(backup.resolveSibling("warehouse.new"))).isFalse();
    }

    @Test
    void testTwoBackups()
            throws IOException, InterruptedException
    {
        createDirectories(backup.getParent());
        Process other = new ProcessBuilder("flock", backup + ".lock", "sh", "-c", "echo running; exec sleep 60").start();
        try (BufferedReader output = other.inputReader()) {
            assertThat(output.readLine()).isEqualTo("running");
            TestingCommand.Result result = DocumentedOperations.backUpCommand(warehouse, backup).run();
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.output()).contains("Another backup to %s is running".formatted(backup));
            assertThat(exists(backup.resolveSibling("warehouse.new"))).isFalse();
        }
        finally {
            // the child has the lock too
            other.descendants().forEach(ProcessHandle::destroy);
            other.destroy();
            other.waitFor();
        }
        DocumentedOperations.backUp(warehouse, backup);
        assertThat(exists(backup)).isTrue();
    }

    @Test
    void testFirstBackupThatFails()
            throws IOException, InterruptedException
    {
        TestingCommand failing = DocumentedOperations.backUpCommand(warehouse, backup).withFailing("rsync", "*'/versions/* '*", home.resolve("commands"));
        assertThat(failing.run().exitCode()).isEqualTo(1);
        // nobody can take an empty folder for a backup
        assertThat(exists(backup)).isFalse();
        DocumentedOperations.backUp(warehouse, backup);
        Map<String, String> first = files(backup);

        // the script is killed after the last backup has got its other name
        Files.move(backup, backup.resolveSibling("warehouse.before"));
        assertThat(failing.run().exitCode()).isEqualTo(1);
        assertThat(files(backup)).isEqualTo(first);
    }

    private void addVersion()
            throws IOException
    {
        write(TABLE + "/versions/00000000000000000002.json", "second");
        write(TABLE + "/rg-2/data", "more rows");
    }

    private void write(String path, String content)
            throws IOException
    {
        Path file = warehouse.resolve(path);
        createDirectories(file.getParent());
        writeString(file, content);
    }

    private static Map<String, String> files(Path folder)
            throws IOException
    {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path file : paths.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString(), readString(file));
            }
        }
        return files;
    }
}
