package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Measurement;
import io.albis.benchmarks.measure.Results;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.albis.benchmarks.measure.Figure.BYTES_READ;
import static io.albis.benchmarks.measure.Figure.CHECKSUM;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.RESULT_CHECKSUM;
import static io.albis.benchmarks.measure.Figure.RESULT_ROWS;
import static io.albis.benchmarks.server.BenchmarkCatalog.ALBIS;
import static io.albis.benchmarks.server.BenchmarkCatalog.HIVE;
import static io.albis.benchmarks.server.BenchmarkCatalog.ICEBERG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestReport
{
    private static final ReportContent CONTENT = new ReportContent("Queries", "query", ImmutableList.of(ELAPSED, BYTES_READ), ImmutableList.of(ELAPSED), ImmutableList.of(ELAPSED));
    private static final List<Measurement> MEASUREMENTS = ImmutableList.of(
            measurement("q01", "albis", 0, 9_000_000_000L, 0),
            measurement("q01", "albis", 1, 1_000_000_000L, 4_000_000),
            measurement("q01", "iceberg", 1, 2_000_000_000L, 2_000_000),
            measurement("q01", "hive", 1, 1_500_000_000L, 5_000_000),
            Measurement.failure("q02", "albis", 1, "Division by zero"));

    @Test
    void testReport()
    {
        assertThat(new Report(CONTENT, ImmutableList.of(ALBIS, ICEBERG, HIVE), new Results(MEASUREMENTS)).render(ImmutableMap.of("Trino", "483"))).isEqualTo(
                """
                # Queries

                - Trino: 483

                Medians of 1 rounds. In each round, the catalogs take turns.
                A ratio has the minimum and maximum of the rounds in brackets. More than 1 means that Albis took less.

                ## Together

                | figure | albis | iceberg | hive | best peer / albis |
                | --- | ---: | ---: | ---: | ---: |
                | elapsed (s) | 1.000 | 2.000 | 1.500 | 1.50 [1.50, 1.50] hive |
                | read (MB) | 4.0 | 2.0 | 5.0 | 0.50 [0.50, 0.50] iceberg |

                ## Each

                | query | rows | elapsed (s) albis | elapsed (s) iceberg | elapsed (s) hive | elapsed: best peer / albis |
                | --- | ---: | ---: | ---: | ---: | ---: |
                | q01 | 7 | 1.000 | 2.000 | 1.500 | 1.50 [1.50, 1.50] hive |

                ## Checks

                - All catalogs gave the same number of rows.
                - Failed, and left out above: q02 on albis in round 1: Division by zero
                """);
    }

    @Test
    void testLongFailure()
    {
        ReportContent content = new ReportContent("Queries", "query", ImmutableList.of(), ImmutableList.of(ELAPSED), ImmutableList.of());
        Results results = new Results(ImmutableList.of(
                measurement("q01", "albis", 1, 1_000_000_000L, 4_000_000),
                Measurement.failure("q02", "albis", 1, "The table has changed. ".repeat(10))));
        assertThat(new Report(content, ImmutableList.of(ALBIS), results).render(ImmutableMap.of()))
                .contains("\n- Failed, and left out above: q02 on albis in round 1: The table has changed. The table has changed. The table has ch...\n");
    }

    @Test
    void testSections()
    {
        ReportContent content = new ReportContent("Queries", "query", ImmutableList.of(), ImmutableList.of(ELAPSED), ImmutableList.of())
                .withGrouping(new Grouping("Groups", ELAPSED, task -> task.substring(0, 1)))
                .withAlbisColumns(BYTES_READ)
                .withJudged(ELAPSED);
        Results results = new Results(ImmutableList.of(
                measurement("q01", "albis", 1, 4_000_000_000L, 1_000_000),
                measurement("q01", "hive", 1, 1_000_000_000L, 0),
                measurement("q02", "albis", 1, 1_000_000_000L, 2_000_000),
                measurement("q02", "hive", 1, 2_000_000_000L, 0),
                measurement("q01", "albis", 2, 6_000_000_000L, 1_000_000),
                measurement("q01", "hive", 2, 1_000_000_000L, 0),
                measurement("q02", "albis", 2, 1_000_000_000L, 2_000_000),
                measurement("q02", "hive", 2, 2_000_000_000L, 0)));
        String report = new Report(content, ImmutableList.of(ALBIS, HIVE), results).render(ImmutableMap.of(), ImmutableList.of(new Section("On disk", "Little.\n")));
        assertThat(report)
                .doesNotContain("## Together")
                .contains(
                        """

                        ## Groups

                        | query | elapsed (s) albis | elapsed (s) hive | best peer / albis |
                        | --- | ---: | ---: | ---: |
                        | q | 6.000 | 3.000 | 0.51 [0.43, 0.60] hive |

                        ## On disk

                        Little.

                        ## Slower or faster

                        """)
                .contains(
                        """
                        - elapsed, albis: surely faster 1, surely slower 1: q01

                        | query | elapsed: albis / best peer |
                        | --- | ---: |
                        | q01 | **5.00 [4.00, 6.00] hive** |
                        | q02 | 0.50 [0.50, 0.50] hive |
                        """)
                .contains("| q01 | 7 | 5.000 | 1.000 | 1.0 |\n");
    }

    @Test
    void testWithoutPeers()
    {
        assertThat(new Report(CONTENT, ImmutableList.of(ALBIS), new Results(MEASUREMENTS)).render(ImmutableMap.of()))
                .contains("| figure | albis |\n")
                .contains("| query | rows | elapsed (s) albis |\n");
    }

    @Test
    void testChecksums()
    {
        Measurement first = changed("DELETE", "albis", 17);
        assertThat(checks(first, changed("DELETE", "iceberg", 17)))
                .contains("- All tables had the same rows afterward.\n");
        assertThat(checks(first, changed("DELETE", "iceberg", 18)))
                .contains("- All catalogs gave the same number of rows.\n")
                .contains("- Not the same rows in the tables afterward: DELETE\n");
    }

    @Test
    void testResultChecksums()
    {
        Measurement first = returned("q01", "albis", 17);
        assertThat(checks(first, returned("q01", "iceberg", 17)))
                .contains("- All catalogs gave the same values, where the query determines them.\n");
        assertThat(checks(first, returned("q01", "iceberg", 18)))
                .contains("- All catalogs gave the same number of rows.\n")
                .contains("- Not the same values: q01\n");
    }

    @Test
    void testBestPeers()
    {
        ReportContent content = new ReportContent("Queries", "query", ImmutableList.of(), ImmutableList.of(ELAPSED), ImmutableList.of(ELAPSED, BYTES_READ));
        Results results = new Results(ImmutableList.of(
                measurement("q01", "albis", 1, 1_000_000_000L, 0),
                measurement("q01", "iceberg", 1, 8_000_000_000L, 6_000_000),
                measurement("q01", "hive", 1, 9_000_000_000L, 5_000_000),
                measurement("q02", "albis", 1, 2_000_000_000L, 1_000_000),
                measurement("q02", "iceberg", 1, 5_000_000_000L, 3_000_000),
                measurement("q02", "hive", 1, 4_000_000_000L, 4_000_000)));
        // The best peer took 8 s and 4 s, which is 8 and 2 times the time of Albis
        assertThat(new Report(content, ImmutableList.of(ALBIS, ICEBERG, HIVE), results).render(ImmutableMap.of()))
                .contains(
                        """

                        ## Against the best peer for each

                        The figure of the best peer for each query divided by that of Albis.
                        More than 1 means that Albis took less.
                        The geometric mean is without those for which one of the two figures is zero.

                        | figure | sum | geometric mean | number in the mean |
                        | --- | ---: | ---: | ---: |
                        | elapsed, albis | 4.00 | 4.00 | 2 |
                        | read, albis | 8.00 | 3.00 | 1 |
                        """);
    }

    private static String checks(Measurement... measurements)
    {
        return new Report(CONTENT, ImmutableList.of(ALBIS, ICEBERG), new Results(ImmutableList.copyOf(measurements))).render(ImmutableMap.of());
    }

    private static Measurement changed(String task, String catalog, long checksum)
    {
        return Measurement.success(task, catalog, 1, new Figures(ImmutableMap.of(RESULT_ROWS, 7L, ELAPSED, 1L, BYTES_READ, 1L, CHECKSUM, checksum)));
    }

    private static Measurement returned(String task, String catalog, long checksum)
    {
        return Measurement.success(task, catalog, 1, new Figures(ImmutableMap.of(RESULT_ROWS, 7L, ELAPSED, 1L, BYTES_READ, 1L, RESULT_CHECKSUM, checksum)));
    }

    @Test
    void testRawFigures()
    {
        assertThat(RawFigures.render(MEASUREMENTS).lines())
                .hasSize(6)
                .startsWith("task,catalog,round,result_rows,elapsed_nanos,planning_nanos,waiting_nanos,scanning_nanos,cpu_nanos,scan_cpu_nanos,filter_cpu_nanos,write_cpu_nanos,process_cpu_nanos,allocated,rows_read,bytes_read,exchanged,segments,segments_skipped,segment_rows,rows_skipped,peak_memory,peak_heap,bytes_on_disk,operation_nanos,operation_cpu_nanos,value_rate,allocated_per_row,bytes_written,new_files,checksum,rate,median_latency_nanos,tail_latency_nanos,conflicts,first_split_nanos,result_checksum,goodput,row_time,row_instructions,row_cache_misses,row_objects,search_time,failure")
                .contains("\"q01\",albis,1,7,1000000000,,,,,,,,,,,4000000,,,,,,,,,,,,,,,,,,,,,,,,,,,,")
                .endsWith("\"q02\",albis,1,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\"Division by zero\"");
    }

    @Test
    void testParseRawFigures()
    {
        List<Measurement> measurements = ImmutableList.<Measurement>builder()
                .addAll(MEASUREMENTS)
                .add(Measurement.failure("100 rows, \"by key\"", "hive", 2, "line 1:8: '\"a\"' is, sadly, missing"))
                .add(Measurement.failure("q03", "hive", 2, ""))
                .build();
        String text = RawFigures.render(measurements);
        assertThat(RawFigures.parse(text)).isEqualTo(measurements);
        assertThatThrownBy(() -> RawFigures.parse(text.replace("conflicts", "quarrels")))
                .hasMessage("the raw figures have other columns");
        assertThatThrownBy(() -> RawFigures.parse(text + "\"q04,albis,1,2\n"))
                .hasMessage("not a line of raw figures: \"q04,albis,1,2");
    }

    private static Measurement measurement(String task, String catalog, int round, long elapsed, long bytes)
    {
        return Measurement.success(task, catalog, round, new Figures(ImmutableMap.of(RESULT_ROWS, 7L, ELAPSED, elapsed, BYTES_READ, bytes)));
    }
}
