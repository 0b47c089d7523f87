package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The benchmarks themselves, on as little data as there is.
 */
class TestBenchmarks
{
    @TempDir
    private Path folder;

    @Test
    void testBenchmarks()
            throws IOException
    {
        // loads the tables of the catalogs it needs, which the other two use
        assertThat(run("load", "--catalogs", "albis,albis_one_group,iceberg,hive", "--warm-up", "0", "--runs", "1"))
                .contains("| store_sales |")
                .contains("write CPU");
        assertThat(run("projection", "--catalogs", "albis,albis_one_group,iceberg,hive", "--columns", "1,23", "--functions", "max", "--warm-up", "0", "--runs", "1"))
                .contains("| max of 23 | 1 |");
        assertThat(run("tpcds", "--queries", "3,96", "--runs", "2"))
                .contains("| q03 |", "| q96 | 1 |");
    }

    private String run(String command, String... options)
            throws IOException
    {
        Path output = folder.resolve(command + ".md");
        String[] arguments = ImmutableList.<String>builder()
                .add(command, "--scale", "tiny", "--data", folder.resolve("data").toString(), "--output", output.toString())
                .add(options)
                .build()
                .toArray(String[]::new);
        assertThat(Benchmarks.commandLine().execute(arguments)).isEqualTo(0);
        assertThat(output.resolveSibling(command + ".csv")).isNotEmptyFile();
        return Files.readString(output);
    }

    @Test
    void testMistakes()
    {
        assertMistake("There is no catalog 'orc' to compare, but [albis, albis_one_group, iceberg, hive]", "tpcds", "--catalogs", "orc");
        assertMistake("Not a scale: '1'", "tpcds", "--scale", "1");
        assertMistake("What to measure is missing");
    }

    private static void assertMistake(String message, String... arguments)
    {
        StringWriter errors = new StringWriter();
        CommandLine commandLine = Benchmarks.commandLine().setErr(new PrintWriter(errors));
        assertThat(commandLine.execute(arguments)).isEqualTo(2);
        assertThat(errors.toString()).contains(message);
    }
}
