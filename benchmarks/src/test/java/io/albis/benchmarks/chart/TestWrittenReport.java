package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.report.MarkdownReports;
import org.junit.jupiter.api.Test;

import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestWrittenReport
{
    private static final WrittenReport REPORT = new WrittenReport("docs/results/some.json", MarkdownReports.parse(
            """
            # A report

            - date: 2026-11-26
            - machine: Two cores
            - Trino: 483

            1,024 rows of 23 columns. Medians of 3 rounds.

            ## Formats

            About the table.

            | format | time (ms) |
            | --- | ---: |
            | albis | 1,337.500 |
            | json | 2.00 [1.00, 3.00] hive |

            ## Empty

            ## Last

            | a | b |
            | --- | ---: |
            | c | 1 |
            """,
            ImmutableList.of()));

    @Test
    void testTable()
    {
        assertThat(REPORT.table("Formats")).containsExactly(
                ImmutableMap.of("format", "albis", "time (ms)", "1,337.500"),
                ImmutableMap.of("format", "json", "time (ms)", "2.00 [1.00, 3.00] hive"));
        assertThat(REPORT.table("Formats").stream().map(row -> WrittenReport.figure(row.get("time (ms)")))).containsExactly(Optional.of(1337.5), Optional.of(2.0));
        assertThat(REPORT.table("Empty")).isEmpty();
        assertThat(REPORT.table("Each")).isEmpty();
    }

    @Test
    void testDescription()
    {
        assertThat(REPORT.description()).isEqualTo("A report. 1,024 rows of 23 columns. Medians of 3 rounds.");
        assertThat(REPORT.environment()).isEqualTo("2026-11-26, Two cores, Trino 483");
        WrittenReport other = new WrittenReport("other.json", MarkdownReports.parse(
                "# Other\n\n- date: 2026-11-26\n\nMedians of 3 rounds. In each round, they take turns.\n",
                ImmutableList.of()));
        assertThat(other.description()).isEqualTo("Other. Medians of 3 rounds.");
        assertThatThrownBy(other::environment).hasMessage("other.json does not state its machine");
    }

    @Test
    void testFigure()
    {
        assertThat(WrittenReport.figure("0.5")).contains(0.5);
        assertThat(WrittenReport.figure("-")).isEmpty();
        assertThat(WrittenReport.figure("")).isEmpty();
        assertThat(WrittenReport.figure("NaN")).isEmpty();
    }
}
