package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.page.ResultFolder;
import io.albis.benchmarks.report.JsonReports;
import io.albis.benchmarks.report.MarkdownReports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class TestCharts
{
    @TempDir
    private Path folder;

    @Test
    void testLines()
            throws IOException
    {
        write("threads",
                """
                | threads | rows | data (Gbit/s) albis_block_one_group | data (Gbit/s) parquet_snappy | time (ms) albis_block_one_group |
                | --- | ---: | ---: | ---: | ---: |
                | 1 | 1,000 | 40.0 | 9.0 | 1.0 |
                | 2 | 1,000 | 79.5 | 17.0 | 1.1 |
                """);
        Charts.draw(new ResultFolder(folder), folder);
        assertThat(folder.resolve("threads.svg")).content()
                .contains(">Gbit/s of values<", ">1<", ">2<", ">80<", "Albis (default), 2: 79.50", "Parquet, Snappy, 1: 9.00")
                .contains(">Medians of 3 rounds.<", "2026-11-26, two cores, Trino 483. Figures: docs/results/threads.json")
                .doesNotContain("1.10");
        // The other reports do not exist
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(file -> file.toString().endsWith(".svg"))).containsExactly(folder.resolve("threads.svg"));
        }
    }

    @Test
    void testDistribution()
            throws IOException
    {
        write("tpcds-sf1",
                """
                | query | rows | elapsed (s) albis | elapsed (s) iceberg | elapsed (s) hive | CPU (s) albis | CPU (s) iceberg | CPU (s) hive |
                | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
                | q01 | 1 | 1.000 | 2.000 | 3.000 | 1.000 | 0.500 | 3.000 |
                | q02 | 1 | 1.000 | 2.000 | 3.000 | 2.000 | 8.000 | 3.000 |
                """);
        Charts.draw(new ResultFolder(folder), folder);
        assertThat(folder.resolve("distribution.svg")).content()
                .contains(">2 TPC-DS queries: distribution of the ratios of CPU time<")
                .contains("Iceberg (Parquet), 0 %: 0.50", "Iceberg (Parquet), 50 %: 0.50", "Iceberg (Parquet), 60 %: 4.00", "Hive (Parquet), 100 %: 3.00")
                .contains(">1/2<", ">1<", ">2<", ">4<");
    }

    private void write(String name, String each)
            throws IOException
    {
        String report =
                """
                # A title

                - date: 2026-11-26
                - machine: two cores
                - Trino: 483

                Medians of 3 rounds.

                ## Together

                | figure | albis | iceberg | hive |
                | --- | ---: | ---: | ---: |
                | elapsed (s) | 2.000 | 4.000 | 6.000 |

                ## Each

                """ + each;
        Files.writeString(folder.resolve(name + ".json"), JsonReports.render(MarkdownReports.parse(report, ImmutableList.of())));
    }
}
