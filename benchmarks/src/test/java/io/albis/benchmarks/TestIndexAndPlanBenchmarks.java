package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.benchmarks.planning.PlannedQuery;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static io.albis.benchmarks.measure.Figure.EXCHANGED;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the benchmarks of thresholds, buckets, plans, and first splits, and those of queries on other storages, with the
 * smallest amount of data.
 */
@Tag("slow")
class TestIndexAndPlanBenchmarks
        extends AbstractTestBenchmarks
{
    /**
     * Tests those benchmarks that run together with all others.
     */
    @Test
    void testAll()
            throws IOException
    {
        assertThat(runAll("thresholds,buckets,plans,first-split"))
                .contains("## Parts of store_sales by an index and by a scan at tiny", "### From which share of rows on")
                .contains("## Orders and lineitem of TPC-H at tiny in 4 buckets, on 2 workers", "### Without and with buckets")
                .contains("## Plans of queries at tiny", "### Different plans", "### What differs")
                .contains("## The time until the first split", "### First split by the number of row groups")
                .doesNotContain("Failed, and left out", "Not the same number of rows", "Not the same values");
        for (String piece : new String[] {"thresholds", "buckets", "plans", "first-split"}) {
            assertThat(folder.resolve("report.parts").resolve(piece + ".csv")).isNotEmptyFile();
        }
    }

    @Test
    void testThresholds()
            throws IOException
    {
        assertThat(run("thresholds", "--catalogs", "albis", "--percent", "1,20", "--columns", "1,3"))
                .contains("| k, max of 1, 1 % | 1 | ", "| ss_item_sk, max of 3, 20 % | 1 | ")
                .contains("## From which share of rows on", "| k, max of 1 | elapsed | albis | index runs / scan | ", "| ss_item_sk, max of 3 | read | albis | index pages / index runs | ")
                .contains("- All catalogs gave the same number of rows.", "- All catalogs gave the same values, where the query determines them.", "- Nothing failed.");
        // Four ways to read, two columns, two parts of the rows, and two numbers of columns
        assertThat(figures("result_rows")).hasSize(4 * 2 * 2 * 2).containsOnly(1L);
        List<Long> bytes = figures("bytes_read");
        assertThat(bytes).allMatch(read -> read > 0);
        // Each way reads another amount
        assertThat(ImmutableSet.copyOf(bytes.subList(0, 4))).hasSizeGreaterThan(1);
    }

    @Test
    void testBuckets()
            throws IOException
    {
        assertThat(run("buckets", "--catalogs", "albis,iceberg,hive", "--buckets", "4", "--workers", "2"))
                .contains("## Without and with buckets", "| join | albis | ", "| window | hive | ")
                .contains("- All catalogs gave the same number of rows.", "- All catalogs gave the same values, where the query determines them.", "- Nothing failed.");
        assertThat(figures("result_rows")).hasSize(2 * 3 * 7);
        // The workers exchange more of the rows if they do not use the buckets
        assertThat(figure(EXCHANGED, "join", "albis")).isLessThan(figure(EXCHANGED, "join", "albis_exchanges") / 2);
        assertThat(figure(EXCHANGED, "window", "albis")).isLessThan(figure(EXCHANGED, "window", "albis_exchanges") / 2);
    }

    @Test
    void testPlans()
            throws IOException
    {
        String report = run("plans", "--queries", "3,64,96", "--tpch", "3", "--catalogs", "albis,iceberg,hive,hive_orc");
        assertThat(report)
                .contains("## Different plans", "| albis and iceberg | join order | ", "| albis and hive_orc | any operator | ")
                .contains("## What differs", "## Statistics", "- Nothing failed.");
        Path json = folder.resolve("report-plans.json");
        String plans = Files.readString(json);
        assertThat(plans).contains("\"query\" : \"TPC-H q03\"", "InnerJoin of ", "scan of store_sales, ", "exchange GATHER after ", "\"peer\" : \"hive_orc\"");
        // The plans do not depend on the run
        Files.delete(json);
        run("plans", "--queries", "3,64,96", "--tpch", "3", "--catalogs", "albis,iceberg,hive,hive_orc");
        assertThat(Files.readString(json)).isEqualTo(plans);
    }

    @Test
    void testFirstSplit()
            throws IOException
    {
        assertThat(run("first-split", "--row-groups", "1,2000"))
                .contains("## First split by the number of row groups", "| query | catalog | 1 row groups (ms) | 2,000 row groups (ms) | last / first |", "| LIMIT 10, first query | albis | ")
                .contains("- Nothing failed.")
                .doesNotContain("iceberg");
        assertThat(figures("first_split_nanos")).hasSize(PlannedQuery.values().length * 2 * 2).allMatch(nanos -> nanos > 0);
    }

    @Test
    void testS3()
            throws IOException, InterruptedException
    {
        System.setProperty("aws.accessKeyId", "key");
        System.setProperty("aws.secretAccessKey", "secret");
        try (StorageProcess s3 = StorageProcess.startS3(folder.resolve("s3"))) {
            assertThat(run("lookup", "--storage", "s3://bucket/tables", "--s3-endpoint", s3.address()))
                    .contains("# Few rows of store_sales at tiny on S3", "| one row by its key | ")
                    .contains("- All catalogs gave the same number of rows.", "- All catalogs gave the same values, where the query determines them.", "- Nothing failed.")
                    .doesNotContain("## On disk", "## What indexes cost");
            assertThat(folder.resolve("s3/bucket/tables/albis")).isNotEmptyDirectory();
            assertThat(run("topn", "--columns", "ss_net_profit", "--sorted", "ss_sold_date_sk", "--storage", "s3://bucket/tables", "--s3-endpoint", s3.address()))
                    .contains("- All catalogs gave the same number of rows.", "- Nothing failed.");
        }
        finally {
            System.clearProperty("aws.accessKeyId");
            System.clearProperty("aws.secretAccessKey");
        }
    }

    @Test
    void testHdfs()
            throws IOException, InterruptedException
    {
        try (StorageProcess hdfs = StorageProcess.startHdfs(folder.resolve("hdfs"))) {
            String[] storage = {"--storage", hdfs.address() + "/tables", "--catalogs", "albis,hive"};
            assertThat(run("thresholds", ImmutableList.<String>builder().add("--percent", "1", "--columns", "1").add(storage).build().toArray(String[]::new)))
                    .contains("# Parts of store_sales by an index and by a scan at tiny on HDFS", "## From which share of rows on")
                    .contains("- All catalogs gave the same number of rows.", "- All catalogs gave the same values, where the query determines them.", "- Nothing failed.");
            assertThat(run("tpch", ImmutableList.<String>builder().add("--queries", "6", "--fractions", "1").add(storage).build().toArray(String[]::new)))
                    .contains("# TPC-H queries at tiny on HDFS", "- Nothing failed.");
        }
    }
}
