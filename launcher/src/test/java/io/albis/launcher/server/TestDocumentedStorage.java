package io.albis.launcher.server;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the documented commands that start the S3 server of the tests. Here, it has no input, and ends at once.
 */
@Tag("server")
@Timeout(120)
final class TestDocumentedStorage
{
    private static final String FIXTURE = "s3-fixture/target/";
    private static final String BUILD = "mvn -f build/pom.xml package -pl :albis-s3-fixture\n";

    @TempDir
    Path home;

    @Test
    void testSizing()
            throws IOException, InterruptedException
    {
        assertStarts("docs/sizing.md", "commands: s3proxy");
        assertThat(home.resolve("objects/bucket")).isDirectory();
    }

    @Test
    void testBenchmarks()
            throws IOException, InterruptedException
    {
        assertStarts("docs/benchmarks.md", "commands: S3");
        assertThat(home.resolve(".albis/s3/bucket")).isDirectory();
    }

    private void assertStarts(String page, String block)
            throws IOException, InterruptedException
    {
        String commands = DocumentedBlocks.text(page, block, "bash");
        // The server is built before the tests run
        assertThat(commands).startsWith(BUILD);
        String here = commands
                .replace(BUILD, "")
                .replace("java -Xmx1g", "'%s' -Xmx256m".formatted(Path.of(System.getProperty("java.home"), "bin", "java")))
                .replace(FIXTURE, Installation.current().repository().resolve(FIXTURE) + "/");
        assertThat(TestingCommand.of("bash", "-euo", "pipefail", "-c", here).in(home).run().checkSucceeded().output())
                .containsPattern("(?m)^ready \\d+$");
    }
}
