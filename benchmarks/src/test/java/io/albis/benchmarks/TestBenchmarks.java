package io.albis.benchmarks;

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
 * Runs the benchmarks with the smallest amount of data.
 */
class TestBenchmarks
{
    @TempDir
    private Path folder;

    @Test
    void testAll()
            throws IOException
    {
        Path output = folder.resolve("all.md");
        assertThat(execute("all", "--quick", "--in-process", "--data", folder.resolve("data").toString(), "--output", output.toString())).isEqualTo(0);
        String report = Files.readString(output);
        assertThat(report.lines())
                .startsWith("# Benchmarks of Albis", "")
                .contains(
                        "## All columns of store_sales, on one thread",
                        "## Each type on its own: 1,000 rows",
                        "## Some of 100 columns of integers: 1,000 rows",
                        "## A filter on a key, then ten columns of bigint: 1,000 rows",
                        "## CREATE TABLE AS of the TPC-DS tables at tiny",
                        "## Projections of store_sales at tiny",
                        "## TPC-DS queries at tiny",
                        "### Albis against the limit of its widths",
                        "### Slower or faster",
                        "### On disk");
        assertThat(report)
                .contains("| albis_block | ", "| parquet_snappy | ", "| json | ", "| readFully into a byte[] of 1 MB | ")
                .contains("| bigint | 1,000 | ", "| varchar_few_values with nulls | 1,000 |")
                .contains("| 1 | 1,000 | ", "| 100 | 1,000 |")
                .contains("| 0.1 % clustered | 1 | ", "| 50 % scattered | 500 | ")
                .contains("| store_sales |", "write CPU")
                .contains("| sum of 22 | 1 |")
                .contains("| q03 |", "| q96 | 1 |")
                .doesNotContain("Failed, and left out", "Not the same number of rows");
        for (String piece : new String[] {"format", "types", "columns", "selectivity", "load", "projection", "tpcds"}) {
            assertThat(folder.resolve("all.parts").resolve(piece + ".csv")).isNotEmptyFile();
        }
    }

    private static int execute(String... arguments)
    {
        return Benchmarks.commandLine().execute(arguments);
    }

    @Test
    void testMistakes()
    {
        assertMistake("There is no catalog 'orc' to compare, but [albis, albis_columns, albis_row, albis_zstd, iceberg, hive, hive_orc]", "tpcds", "--catalogs", "orc");
        assertMistake("Not a setting such as lazy-reading=false: 'lazy'", "tpcds", "--catalogs", "albis+lazy");
        assertMistake("Not a scale: '1'", "tpcds", "--scale", "1");
        assertMistake("There is no format 'csv', but [albis_block, ", "types", "--formats", "csv");
        assertMistake("There is no type blob", "types", "--types", "blob");
        assertMistake("No benchmark was given");
    }

    private static void assertMistake(String message, String... arguments)
    {
        StringWriter errors = new StringWriter();
        CommandLine commandLine = Benchmarks.commandLine().setErr(new PrintWriter(errors));
        assertThat(commandLine.execute(arguments)).isEqualTo(2);
        assertThat(errors.toString()).contains(message);
    }
}
