package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the benchmarks with the smallest amount of data.
 */
class TestBenchmarks
        extends AbstractTestBenchmarks
{
    @Test
    void testAll()
            throws IOException
    {
        String report = runAll("format,types,columns,selectivity,load,projection,tpcds,tpch,clickbench,topn,lookup,threads,segments,compression,objects,slices,tables,join,cif,concurrency");
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
                        "## TPC-H queries at tiny",
                        "## ClickBench-like queries of 10,000 rows",
                        "## SELECT * FROM store_sales ORDER BY a column LIMIT 10 at tiny",
                        "## Few rows of store_sales at tiny",
                        "## All columns of store_sales, with several threads that each read all of it",
                        "## Sizes of segments, row groups, and stripes: all columns of store_sales, on one thread",
                        "## Codecs: all columns of store_sales, on one thread",
                        "## Objects that readers of store_sales create",
                        "## Ranges of values, with a scan and with bit slices",
                        "## All columns of the largest tables at tiny",
                        "## Equi-join of two tables of 1,000 rows of 1 to 2 kB",
                        "## Column-oriented storage: texts, integers, maps, and pages",
                        "## Clients that run the TPC-DS queries at tiny at the same time",
                        "### Albis against the limit of its widths",
                        "### Slower or faster",
                        "### Against the best peer for each",
                        "### By the fraction of rows",
                        "### What indexes cost",
                        "### Distribution of ratios",
                        "### On disk");
        assertThat(report)
                .contains("| albis_block | ", "| parquet_snappy | ", "| json | ", "| readFully into a byte[] of 1 MB | ")
                .contains("| bigint | 1,000 | ", "| varchar_few_values with nulls | 1,000 |")
                .contains("| 1 | 1,000 | ", "| 100 | 1,000 |")
                .contains("| 0.1 % clustered | 1 | ", "| 50 % scattered | 500 | ")
                .contains("| store_sales |", "write CPU")
                .contains("| sum of 22 | 1 |")
                .contains("| q03 |", "| q96 | 1 |")
                .contains("| q06 | 1 |", "| q01 of 58 % | 4 |")
                .contains("| q20 | ", "| q37 | 10 |")
                .contains("| ss_net_profit DESC | 10 | ", "| ss_sold_date_sk (sorted) | 10 | ")
                .contains("| one row by its key | ", "| albis | ss_store_sk | ")
                .contains("| albis_segments_64kb | ", "| orc_stripes_512mb | ", "| parquet_gzip | ", "| albis_binary_rows | ", "| content types of a site | ")
                .contains("![TPC-DS queries: elapsed time relative to Albis](report.parts/tpcds-elapsed-ratios.svg)")
                .doesNotContain("Failed, and left out", "Not the same number of rows", "Not the same values");
        for (String piece : new String[] {"format", "types", "columns", "selectivity", "load", "projection", "tpcds", "tpch", "clickbench", "topn", "lookup", "threads", "segments", "compression", "objects", "slices", "tables", "join", "cif", "concurrency"}) {
            assertThat(folder.resolve("report.parts").resolve(piece + ".csv")).isNotEmptyFile();
            assertThat(folder.resolve("report.parts")).isDirectoryContaining("glob:**/%s-*.svg".formatted(piece));
        }
    }

    /**
     * Tests those that change tables, and nested columns.
     */
    @Test
    void testAllChanges()
            throws IOException
    {
        assertThat(runAll("nested,changes,optimize,commits,mixed"))
                .contains("## Nested columns of a part of store_sales at tiny", "| UNNEST of maps of 10 | ")
                .contains("## Changes of store_sales at tiny", "CPU (s) iceberg_format_version_3")
                .contains("## Optimizing store_sales at tiny after 5 inserts")
                .contains("## Commits of single rows", "| 2 writers after 10 commits | ")
                .contains("## Eight clients of store_sales at tiny for 3.00s")
                .doesNotContain("Failed, and left out", "Not the same number of rows", "Not the same values");
    }

    /**
     * Tests that the combined report keeps the reports of earlier runs of other benchmarks.
     */
    @Test
    void testEarlierParts()
            throws IOException
    {
        assertThat(runAll("types,slices")).contains("## Each type on its own: 1,000 rows", "## Ranges of values, with a scan and with bit slices");
        String earlier = Files.readString(folder.resolve("report.parts/types.csv"));
        assertThat(runAll("slices,columns").lines().filter(line -> line.startsWith("## "))).containsExactly(
                "## Each type on its own: 1,000 rows",
                "## Some of 100 columns of integers: 1,000 rows",
                "## Ranges of values, with a scan and with bit slices");
        assertThat(folder.resolve("report.parts/types.csv")).hasContent(earlier);
    }

    @Test
    void testLookup()
            throws IOException
    {
        assertThat(run("lookup", "--loads", "1"))
                .contains("| one row by its key | ", "| 100 rows by their keys | ", "| rows of a customer | ", "| predicates of 2, 5, and 10 % | ")
                .contains("## What indexes cost", "| albis | k | ", "| albis | ss_store_sk | ", "| albis | all columns, with the indexes of k, ss_customer_sk, ss_item_sk, ss_addr_sk |")
                .contains("- All catalogs gave the same number of rows.", "- All catalogs gave the same values, where the query determines them.", "- Nothing failed.");
        assertThat(figures("result_rows")).hasSize(3 * 6).contains(1L, 100L);
    }

    /**
     * Without its index, Albis reads the column of the predicate.
     */
    @Test
    void testSessionProperties()
            throws IOException
    {
        run("lookup", "--loads", "0", "--catalogs", "albis");
        List<Long> withIndex = figures("bytes_read");
        assertThat(run("lookup", "--loads", "0", "--catalogs", "albis", "--session", "albis.index_enabled=false,task_concurrency=1"))
                .doesNotContain("## What indexes cost");
        assertThat(figures("bytes_read").getFirst()).isGreaterThan(withIndex.getFirst());
    }

    @Test
    void testTpch()
            throws IOException
    {
        assertThat(run("tpch", "--fractions", "1,40", "--indexed", "shipdate", "--catalogs", "albis,hive_orc"))
                .contains("| q06 | 1 | ", "| q21 | ", "| q01 of 1 % | ", "| q01 of 40 % | ")
                .contains("## Against the best peer for each", "| scan CPU, albis_indexed_shipdate | ")
                .contains("## By the fraction of rows", "scan CPU: hive_orc / albis |", "| q14 | `shipdate >= DATE '1995-09-01' AND shipdate < DATE '1995-10-01'` | ")
                .contains("- All catalogs gave the same number of rows.", "- All catalogs gave the same values, where the query determines them.", "- Nothing failed.");
        assertThat(figures("result_rows")).hasSize(3 * (22 + 2));
    }

    @Test
    void testClickBench()
            throws IOException
    {
        assertThat(run("clickbench", "--rows", "20000"))
                .contains("# ClickBench-like queries of 20,000 rows", "## Against the best peer for each")
                .contains("- All catalogs gave the same number of rows.", "- All catalogs gave the same values, where the query determines them.", "- Nothing failed.");
        // Only a few queries find nothing in a small table: those with many rows in a group, and those of late groups
        assertThat(figures("result_rows")).hasSize(3 * 43).filteredOn(rows -> rows > 0).hasSizeGreaterThanOrEqualTo(3 * 36);
    }

    @Test
    void testTopN()
            throws IOException
    {
        assertThat(run("topn", "--columns", "ss_net_profit,ss_customer_sk", "--sorted", "ss_sold_date_sk", "--limit", "7", "--catalogs", "albis,iceberg,hive,hive_orc"))
                .contains("# SELECT * FROM store_sales ORDER BY a column LIMIT 7 at tiny", "| ss_net_profit | 7 | ", "| ss_customer_sk DESC | 7 | ", "| ss_sold_date_sk DESC (sorted) | 7 | ")
                .contains("- All catalogs gave the same number of rows.", "- All catalogs gave the same values, where the query determines them.", "- Nothing failed.");
        assertThat(figures("result_rows")).hasSize(4 * 6).containsOnly(7L);
    }

    @Test
    void testNested()
            throws IOException
    {
        assertThat(run("nested", "--catalogs", "albis,iceberg,hive,hive_orc"))
                .contains("| element_at of a map of 10 | ", "| one field of a row of 20 | ", "| cardinality of arrays | ", "| UNNEST of maps of 10 | ")
                .contains("- All catalogs gave the same number of rows.", "- All catalogs gave the same values, where the query determines them.", "- Nothing failed.");
        assertThat(figures("result_rows")).hasSize(4 * 10).containsOnly(1L);
    }

    @Test
    void testOptimize()
            throws IOException
    {
        assertThat(run("optimize", "--inserts", "5"))
                .contains("| optimize | ", "| scan of ten days, small files | ", "| scan of ten days, large files | ", "| scan of ten days, large sorted files | ")
                .contains("- All catalogs gave the same number of rows.", "- All tables had the same rows afterward.", "- Nothing failed.");
        // Only optimize writes files
        assertThat(figures("new_files")).filteredOn(bytes -> bytes > 0).hasSize(2);
    }

    @Test
    void testChanges()
            throws IOException
    {
        assertThat(run("changes", "--fractions", "0.1,1"))
                .contains("| DELETE 0.1 % by key | ", "| UPDATE of 4 columns 1 % by date | ", "| UPDATE of one column 1 % by key | ", "| MERGE 1 % by date | ", "| UPDATE of all rows of a new column | ")
                .contains("- All catalogs gave the same number of rows.", "- All tables had the same rows afterward.", "- Nothing failed.");
        assertThat(figures("result_rows")).hasSize(2 * (2 * 2 * 4 + 1)).allMatch(rows -> rows > 0);
        assertThat(figures("new_files")).hasSize(2 * (2 * 2 * 4 + 1)).allMatch(bytes -> bytes > 0);
    }

    @Test
    void testQueriesAfterDeletes()
            throws IOException
    {
        assertThat(run("tpcds", "--queries", "3,96", "--deleted", "5%"))
                .contains("# TPC-DS queries at tiny after 5 % of all rows were deleted")
                .contains("## After and before the deletes", "| all | ", "CPU albis: after / before", "CPU iceberg: after / before", "CPU: best peer / albis_deleted_5")
                .contains("- All catalogs gave the same number of rows.", "- Nothing failed.")
                .doesNotContain("| hive", "hive_deleted");
    }

    @Test
    void testCommits()
            throws IOException
    {
        assertThat(run("commits", "--writers", "1,4", "--commits", "8", "--versions", "10"))
                .contains("| 1 writers on a new table | 8 | ", "| 4 writers on a new table | 8 | ", "| 4 writers after 10 commits | 8 | ")
                .contains("- Nothing failed.");
        assertThat(figures("rate")).hasSize(2 * 2 * 2).allMatch(rate -> rate > 0);
    }

    @Test
    void testMixedLoad()
            throws IOException
    {
        assertThat(run("mixed", "--duration", "3s"))
                .contains("| query | ", "| insert | ", "| merge | ", "| expire_snapshots | ", "| optimize | ")
                .contains("- Nothing failed.");
        assertThat(figures("median_latency_nanos")).hasSize(10).allMatch(nanos -> nanos > 0);
    }

    /**
     * Removes the last round from the raw figures, as if the benchmark had been interrupted before its end.
     */
    @Test
    void testResume()
            throws IOException
    {
        String[] arguments = {"projection", "--functions", "sum", "--columns", "1", "--catalogs", "albis", "--scale", "tiny", "--warm-up", "0", "--runs", "2", "--resume", "--data", folder.resolve("data").toString(), "--output", folder.resolve("report.md").toString()};
        assertThat(execute(arguments)).isEqualTo(0);
        List<String> complete = Files.readAllLines(folder.resolve("report.csv"));
        assertThat(complete).hasSize(3);
        Files.write(folder.resolve("report.csv"), complete.subList(0, 2));
        assertThat(execute(arguments)).isEqualTo(0);
        assertThat(Files.readString(folder.resolve("report.md"))).contains("Medians of 2 rounds.");
        List<String> resumed = Files.readAllLines(folder.resolve("report.csv"));
        assertThat(resumed).hasSize(3).startsWith(complete.get(0), complete.get(1)).doesNotContain(complete.get(2));
        // Nothing remains to be measured
        assertThat(execute(arguments)).isEqualTo(0);
        assertThat(Files.readAllLines(folder.resolve("report.csv"))).isEqualTo(resumed);
        // Rounds of other builds are measured again
        for (String build : new String[] {"Albis", "benchmarks"}) {
            List<String> earlier = Files.readAllLines(folder.resolve("report.csv"));
            String report = Files.readString(folder.resolve("report.md"));
            String other = report.replaceFirst("(?m)^- %s: .*$".formatted(build), "- %s: another build".formatted(build));
            assertThat(other).isNotEqualTo(report);
            Files.writeString(folder.resolve("report.md"), other);
            assertThat(execute(arguments)).isEqualTo(0);
            assertThat(Files.readAllLines(folder.resolve("report.csv"))).hasSize(3).doesNotContain(earlier.get(1), earlier.get(2));
        }
    }

    @Test
    void testList()
    {
        StringWriter output = new StringWriter();
        assertThat(Benchmarks.commandLine().setOut(new PrintWriter(output)).execute("list")).isEqualTo(0);
        assertThat(output.toString().lines()).hasSize(2 + Piece.values().length + 1 + 3 + 3);
        assertThat(output.toString())
                .contains("\nload           25  Creates the TPC-DS tables with CREATE TABLE AS, and replaces existing tables\n", "\ntogether ")
                // Nobody has measured the time
                .contains("\ntpch            ?  The TPC-H queries, and the first one for different fractions of its table\n")
                .contains("\nmixed          22  Eight clients ", "\ndisk               Scans of a table on the local disk ", ". It needs Linux, and the rights to drop its file caches\n")
                .doesNotContain("   0  ");
    }

    /**
     * Tests that each benchmark runs together with the others, or is listed as one that does not.
     */
    @Test
    void testPieces()
    {
        ParseResult all = Benchmarks.commandLine().parseArgs("all", "--data", "data", "--output", "report.md").subcommand();
        List<Piece> pieces = all.commandSpec().findOption("--pieces").getValue();
        assertThat(pieces).containsExactly(Piece.values());
        Set<String> others = ImmutableSet.of("help", "all", "list", "docs", "regression");
        assertThat(Benchmarks.commandLine().getSubcommands().keySet().stream().filter(name -> !others.contains(name)))
                .containsExactlyInAnyOrderElementsOf(ImmutableSet.<String>builder()
                        .addAll(Arrays.stream(Piece.values()).map(Piece::toString).iterator())
                        .addAll(Piece.ALONE.keySet())
                        .build());
    }

    /**
     * Tests that the queries are compared with all peers, with Parquet and with ORC.
     */
    @Test
    void testPeers()
    {
        for (Piece piece : new Piece[] {Piece.tpcds, Piece.tpch, Piece.clickbench}) {
            assertThat(piece.catalogs().split(",")).as(piece.toString()).containsExactly("albis", "iceberg", "hive", "hive_orc");
        }
    }

    @Test
    void testRoundsOfLongBenchmarks()
    {
        assertThat(Piece.tpcds.rounds(11)).isEqualTo(11);
        assertThat(Piece.changes.rounds(11)).isEqualTo(3);
        assertThat(Piece.changes.rounds(2)).isEqualTo(2);
        assertThat(Piece.clickbench.rounds(11)).isEqualTo(3);
        assertThat(Piece.concurrency.rounds(11)).isEqualTo(3);
        assertThat(Piece.mixed.rounds(11)).isEqualTo(1);
        // The arguments that only runs of all data have
        for (Piece piece : Piece.values()) {
            ParseResult result = Benchmarks.commandLine().parseArgs(ImmutableList.<String>builder()
                    .add(piece.toString(), "--data", "data", "--output", "report.md")
                    .add(piece.arguments())
                    .add(piece.fullArguments())
                    .build()
                    .toArray(String[]::new));
            assertThat(result.subcommand().commandSpec().name()).isEqualTo(piece.toString());
        }
    }

    @Test
    void testMistakes()
    {
        assertMistake("There is no catalog 'orc' to compare, but [albis, albis_columns, albis_row, albis_zstd, iceberg, hive, hive_orc]", "tpcds", "--catalogs", "orc");
        assertMistake("Not a setting such as lazy-reading=false: 'lazy'", "tpcds", "--catalogs", "albis+lazy");
        assertMistake("Not a part of a table: '0'. It is a number of percent from 0.001 to 100, such as 5%", "tpcds", "--deleted", "0");
        assertMistake("Not a scale: '1'", "tpcds", "--scale", "1");
        assertMistake("Not a session property such as task_concurrency=1 or albis.index_enabled=false: 'index'", "tpch", "--session", "index");
        assertMistake("There is no format 'csv', but [albis_block, ", "types", "--formats", "csv");
        assertMistake("There is no type blob", "types", "--types", "blob");
        assertMistake("Not a storage such as hdfs://127.0.0.1:8020/albis or s3://bucket/albis: 'ftp://host'", "lookup", "--data", "data", "--output", "report.md", "--storage", "ftp://host");
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
