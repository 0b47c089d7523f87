package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.report.MarkdownReports;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestWrittenReport
{
    private static final WrittenReport REPORT = new WrittenReport("some", MarkdownReports.parse(
            """
            # A report

            - machine: Two cores

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
        assertThat(REPORT.table("Formats").stream().map(row -> WrittenReport.figure(row, "time (ms)"))).containsExactly(1337.5, 2.0);
    }

    @Test
    void testEnvironment()
    {
        assertThat(REPORT.title()).isEqualTo("A report");
        assertThat(REPORT.environment("machine")).isEqualTo("Two cores");
        assertThat(REPORT.number("", " rows of 23 columns")).isEqualTo(1024);
        assertThat(REPORT.number("Medians of ", " rounds")).isEqualTo(3);
    }

    @Test
    void testMissing()
    {
        assertThatThrownBy(() -> REPORT.table("Each")).hasMessage("There is no section 'Each'");
        assertThatThrownBy(() -> REPORT.table("Empty")).hasMessage("some has no table in section 'Empty'");
        assertThatThrownBy(() -> REPORT.environment("date")).hasMessage("some does not state its date");
        assertThatThrownBy(() -> REPORT.number("Medians of ", " runs")).hasMessage("some has no line with 'Medians of ... runs'");
        assertThatThrownBy(() -> WrittenReport.figure(REPORT.table("Last").getFirst(), "c")).hasMessage("There is no column 'c', but [a, b]");
    }
}
