package io.albis.benchmarks;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Starts two clusters of HDFS, which other modules of the build provide.
 */
@Tag("slow")
final class TestCoLocation
        extends AbstractTestBenchmarks
{
    // The build runs the tests in the directory benchmarks/
    private static final Path REPOSITORY = Files.exists(Path.of("docs")) ? Path.of("") : Path.of("..");
    private static final Pattern ROW_GROUPS = Pattern.compile("(?m)^\\| albis_columns_(?<cluster>\\w+) \\| (?<rowGroups>\\d+) \\| (?<nodes>\\d+) \\| (?<percent>\\d+) % \\|$");

    @Test
    void testTogetherAndApart()
            throws IOException
    {
        String report = run(
                "co-location",
                "--catalogs",
                "albis_columns",
                "--hdfs-fixture",
                REPOSITORY.resolve("hdfs-fixture/target").toString(),
                "--policy",
                REPOSITORY.resolve("placement/target/classes").toString());
        assertThat(report)
                .contains("# Scan of store_sales at tiny on two clusters of HDFS with 3 DataNodes, one of which keeps row groups together")
                .contains("## With and without the policy", "| client of HDFS | albis_columns_together | ", "| count of 23 | albis_columns_together | ")
                .contains("- All catalogs gave the same number of rows.", "- Nothing failed.");
        List<MatchResult> rowGroups = ROW_GROUPS.matcher(report).results().toList();
        assertThat(rowGroups).extracting(result -> result.group("cluster")).containsExactly("together", "apart");
        assertThat(rowGroups.getFirst().group("percent")).isEqualTo("100");
        // HDFS chooses among three DataNodes for each file
        assertThat(Integer.parseInt(rowGroups.getLast().group("percent"))).isLessThan(90);
        assertThat(rowGroups.getLast().group("nodes")).isEqualTo("3");
        assertThat(ProcessHandle.current().descendants().filter(process -> process.info().commandLine().orElse("").contains("HdfsDaemon"))).isEmpty();
    }
}
