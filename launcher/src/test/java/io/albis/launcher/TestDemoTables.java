package io.albis.launcher;

import io.albis.launcher.server.Installation;
import io.albis.launcher.server.LocalServer;
import io.albis.launcher.tpcds.Progress;
import io.albis.launcher.tpcds.TpcdsBenchmark;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that every demo loads its tables again, and that the files of the previous ones do not remain.
 */
@Tag("server")
@Tag("slow")
class TestDemoTables
{
    @TempDir
    Path home;

    @Test
    void testReplacedTablesAreDeleted()
            throws IOException, InterruptedException
    {
        Installation installation = new Installation(Installation.current().repository(), Installation.current().server(), home);
        try (LocalServer server = LocalServer.start(installation, false).orElseThrow()) {
            Progress progress = new Progress(System.out, false);
            TpcdsBenchmark benchmark = DemoCommand.load(server.running().uri(), progress);
            long size = size(installation.data());
            benchmark.load(true);
            assertThat(size(installation.data())).as("the size without the deletion").isGreaterThan(size * 19 / 10);
            DemoCommand.load(server.running().uri(), progress);
            // Small files for each version of the replaced tables remain
            assertThat(size(installation.data())).isBetween(size * 9 / 10, size * 11 / 10);
        }
    }

    private static long size(Path directory)
            throws IOException
    {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
        }
    }
}
