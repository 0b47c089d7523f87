package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.server.BenchmarkCatalog;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the counterparts of the evaluations of the papers, and those of several clients and of ratios, with the smallest
 * amount of data.
 */
class TestPaperBenchmarks
        extends AbstractTestBenchmarks
{
    @Test
    void testConcurrency()
            throws IOException
    {
        assertThat(run("concurrency", "--clients", "1,3", "--queries", "3,96", "--repeats", "2", "--catalogs", "albis,iceberg"))
                .contains("| 1 | ", "| 3 | ")
                .contains("- All catalogs gave the same number of rows.", "- Nothing failed.");
        assertThat(figures("rate")).hasSize(2 * 2).allMatch(rate -> rate > 0);
        // The same queries run with each number of clients
        assertThat(figures("result_rows")).hasSize(2 * 2).allMatch(rows -> rows > 0 && rows % 2 == 0).satisfies(rows -> assertThat(rows.stream().distinct()).hasSize(1));
    }

    @Test
    void testTables()
            throws IOException
    {
        assertThat(run("tables", "--tables", "web_sales,catalog_sales", "--catalogs", "albis,iceberg,hive_orc"))
                .contains("# All columns of the largest tables at tiny", "| web_sales | ", "| catalog_sales | ")
                .contains("- All catalogs gave the same number of rows.", "- All catalogs gave the same values, where the query determines them.", "- Nothing failed.");
        // No catalog answers from its metadata
        assertThat(figures("bytes_read")).hasSize(3 * 2).allMatch(bytes -> bytes > 100_000);
    }

    @Test
    void testJoin()
            throws IOException
    {
        assertThat(run("join", "--rows", "3000", "--catalogs", "albis,iceberg"))
                .contains("# Equi-join of two tables of 3,000 rows of 1 to 2 kB", "| join | 3,000 | ", "| scan of the left table | 1 | ")
                .contains("- All catalogs gave the same number of rows.", "- All catalogs gave the same values, where the query determines them.", "- Nothing failed.");
        assertThat(figures("bytes_on_disk")).hasSize(2).allMatch(bytes -> bytes > 3000 * 8);
        // The payload cannot be compressed
        assertThat(figures("bytes_read")).hasSize(2 * 3).allMatch(bytes -> bytes > 3000 * 1024);
    }

    @Test
    void testCif()
            throws IOException
    {
        assertThat(run("cif", "--records", "20000", "--pages", "1000", "--page-bytes", "1000", "--values", "8000", "--catalogs", "albis,iceberg,hive_orc"))
                .contains("| 1 integer | 1 | ", "| 1 string | 1 | ", "| 1 map | 1 | ", "| all columns | 1 | ")
                .contains("| content types of a site | 5 | ")
                .contains("| 1 of 20 columns | ", "| 4 of 40 columns | ", "| 80 of 80 columns | ")
                .contains("| map of 1.6 % of the records | 1 | ", "| map of 100 % of the records | 1 | ")
                .contains("| load of records | 20,000 | ")
                .contains("- All catalogs gave the same number of rows.", "- All catalogs gave the same values, where the query determines them.", "- Nothing failed.");
        assertThat(figures("result_rows")).hasSize(3 * (4 + 1 + 9 + 5 + 1));
    }

    @Test
    void testThreads()
            throws IOException
    {
        assertThat(runFormat("threads", "--scale-factor", "0.01", "--threads", "1,2", "--formats", "albis_row,parquet_snappy"))
                .contains("| 1 | ", "| 2 | ", "data (Gbit/s) albis_row", "time: best peer / albis_row")
                .contains("- Nothing failed.");
        assertThat(figures("goodput")).hasSize(2 * 2).allMatch(rate -> rate > 0);
    }

    @Test
    void testObjects()
            throws IOException
    {
        assertThat(execute("objects", "--scale-factor", "0.001", "--heap", "2000", "--warm-up", "1", "--runs", "1", "--data", folder.resolve("data").toString(), "--output", folder.resolve("report.md").toString())).isEqualTo(0);
        assertThat(Files.readString(folder.resolve("report.md"))).contains("| albis_blocks | ", "| albis_binary_rows | ", "| albis_values | ", "| parquet_blocks | ", "| json_values | ");
        List<Long> objects = figures("row_objects");
        assertThat(objects).hasSize(8).allMatch(count -> count > 0);
        // Values as objects are more objects than blocks of them. The first reader comes last in the first round
        assertThat(objects.get(1)).isGreaterThan(objects.getLast());
    }

    @Test
    void testSlices()
            throws IOException
    {
        assertThat(runFormat("slices", "--rows", "30000", "--row-group-rows", "10000", "--values", "100,1000000000", "--percent", "0.1,30"))
                .contains("| 100 values, 0.1 % | ", "| 1,000,000,000 values, 30 % | ", "ns/row albis_scan", "ns/row bit_slices", "time: best peer / albis_scan")
                .contains("## Sizes", "| 100 | 30,000 | 3 | 100 | 7 | ", "| 1,000,000,000 | 30,000 | 3 | 10,000 | 14 | ")
                .contains("- All catalogs gave the same number of rows.", "- Nothing failed.");
        assertThat(figures("search_time")).hasSize(2 * 4).allMatch(time -> time > 0);
        assertThat(folder).isDirectoryContaining("glob:**/report-search-time-lines.svg");
    }

    /**
     * Compares a run with itself, and with ratios that are ten times as high.
     */
    @Test
    void testRegression()
            throws IOException
    {
        StringWriter messages = new StringWriter();
        assertThat(regression("none.json", "first.md", messages)).isEqualTo(1);
        assertThat(messages.toString())
                .startsWith("There are no committed ratios: %s does not exist.".formatted(folder.resolve("none.json")))
                .contains("\n    cp %s %s\n".formatted(folder.resolve("first.json"), folder.resolve("none.json")))
                .doesNotContain("Worse than the committed ratios");
        // The command that was printed
        Files.copy(folder.resolve("first.json"), folder.resolve("none.json"));
        String first = Files.readString(folder.resolve("first.json"));
        assertThat(first).contains("store_sales: store_sales, CPU time", "type: varchar_many_values with nulls, CPU time", "filter: 10 % clustered, CPU time", "TPC-DS: scan CPU");
        // A single round of the smallest tables says nothing, so the committed ratios are set, medians and least ones
        Files.writeString(folder.resolve("low.json"), first.replaceAll("(\\[\"[^\"]*CPU[^\"]*\"|\\[\"TPC-DS: allocated\"),\"[\\d.]+\",\"[\\d.]+\"", "$1,\"0.0001\",\"0.0001\""));
        messages = new StringWriter();
        assertThat(regression("low.json", "second.md", messages)).isEqualTo(0);
        assertThat(messages).hasToString("No ratio is worse than the committed one.\n");
        Files.writeString(folder.resolve("high.json"), first.replaceAll("(\\[\"[^\"]*CPU[^\"]*\"|\\[\"TPC-DS: allocated\"),\"[\\d.]+\",\"[\\d.]+\"", "$1,\"100000\",\"100000\""));
        messages = new StringWriter();
        assertThat(regression("high.json", "third.md", messages)).isEqualTo(1);
        assertThat(messages.toString()).startsWith("Worse than the committed ratios: ").doesNotContain("cp ");
        assertThat(Files.readString(folder.resolve("third.md"))).contains("| worse |").doesNotContain("|  |");
    }

    private int regression(String committed, String output, StringWriter messages)
    {
        return Benchmarks.commandLine().setOut(new PrintWriter(messages)).execute("regression", "--quick", "--runs", "1", "--committed", folder.resolve(committed).toString(), "--data", folder.resolve("data").toString(), "--output", folder.resolve(output).toString());
    }

    /**
     * Tests that a count, which is the scan of these benchmarks, is not answered from the metadata of Albis.
     */
    @Test
    void testScansOfStorage()
    {
        for (String command : new String[] {"disk", "hdfs"}) {
            ParseResult result = Benchmarks.commandLine().parseArgs(ImmutableList.<String>builder()
                    .add(command, "--catalogs", "albis,albis+read-ahead=ALWAYS,hive", "--data", "data", "--output", "report.md")
                    .addAll(command.equals("hdfs") ? ImmutableList.of("--hdfs", "hdfs://127.0.0.1:8020") : ImmutableList.of())
                    .build()
                    .toArray(String[]::new));
            StorageBenchmark benchmark = (StorageBenchmark) result.subcommand().commandSpec().userObject();
            assertThat(benchmark.catalogs()).hasSize(3);
            assertThat(benchmark.catalogs().stream().filter(BenchmarkCatalog::isAlbis)).hasSize(2).allSatisfy(catalog -> assertThat(catalog.defaults()).containsEntry("albis.aggregation-pushdown-enabled", "false"));
        }
    }
}
