package io.albis.benchmarks;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the committed charts match the charts that the command draws from the committed reports.
 */
class TestChartsCommand
{
    // The build runs the tests in the directory benchmarks/
    private static final Path DOCS = Files.exists(Path.of("docs")) ? Path.of("docs") : Path.of("..", "docs");

    @TempDir
    private Path folder;

    @Test
    void testCommittedCharts()
            throws IOException
    {
        assertThat(Benchmarks.commandLine().execute("charts", "--results", DOCS.resolve("results").toString(), "--output", folder.toString())).isEqualTo(0);
        for (String chart : new String[] {"scan.svg", "tpcds.svg"}) {
            assertThat(DOCS.resolve("charts").resolve(chart)).hasSameTextualContentAs(folder.resolve(chart));
        }
    }
}
