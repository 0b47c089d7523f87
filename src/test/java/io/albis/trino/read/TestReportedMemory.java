package io.albis.trino.read;

import com.google.common.collect.ImmutableList;
import io.albis.trino.sink.WriterMemoryMeasurement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Page sinks and page sources report the memory that they use within the factor that docs/operations.md states.
 */
final class TestReportedMemory
{
    private static final double FACTOR = 1.25;

    @TempDir
    private Path folder;

    @Test
    @Tag("slow")
    @Timeout(300)
    void testSinksAndSources()
            throws Exception
    {
        List<String> measured = measure(MemoryMeasurement.class);
        assertThat(measured).hasSize(2 * MemoryMeasurement.TABLES.size());
        measured.forEach(TestReportedMemory::check);
    }

    /**
     * The engine asks the sinks of DELETE, UPDATE, and MERGE for nothing, so only a limit of their memory is known.
     */
    @Test
    @Tag("slow")
    @Timeout(300)
    void testOtherWriters()
            throws Exception
    {
        List<String> measured = measure(WriterMemoryMeasurement.class);
        assertThat(measured).hasSize(WriterMemoryMeasurement.MEASUREMENTS);
        measured.forEach(TestReportedMemory::check);
    }

    private static void check(String line)
    {
        System.out.println("Memory that was reported and used: " + line);
        String[] values = line.split(" ");
        double reported = Long.parseLong(values[2]);
        double used = Long.parseLong(values[3]);
        assertThat(used).as(line).isPositive();
        assertThat(reported / used).as(line).isGreaterThanOrEqualTo(1 / FACTOR);
        if (!values[0].equals("merge")) {
            assertThat(reported / used).as(line).isLessThanOrEqualTo(FACTOR);
        }
    }

    private List<String> measure(Class<?> measurement)
            throws IOException, InterruptedException
    {
        Path errors = folder.resolve("errors");
        Process process = new ProcessBuilder(ImmutableList.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                measurement.getName(),
                Files.createDirectories(folder.resolve("data")).toString()))
                .redirectError(errors.toFile())
                .start();
        try {
            List<String> lines = process.inputReader(UTF_8).lines().toList();
            assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
            return lines;
        }
        finally {
            process.destroyForcibly();
        }
    }
}
