package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Measurement;
import org.junit.jupiter.api.Test;

import java.util.List;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestSavedReport
{
    private static final String MARKDOWN =
            """
            # A "report"

            - machine: two: cores
            - command: some --options

            Medians of 3 rounds.

            ## Each

            Text before.

            | task | time (s) | condition |
            | --- | ---: | ---: |
            | q01 | 1,337.500 | `a \\|\\| b` |
            | q02 |  | 1.52 [1.40, 1.60] hive |

            Between two tables.

            | a |
            | --- |

            ## Checks

            - Nothing failed.
            """;
    private static final List<Measurement> MEASUREMENTS = ImmutableList.of(
            Measurement.success("q01", "albis", 0, new Figures(ImmutableMap.of(Figure.ELAPSED, 7L, Figure.RESULT_CHECKSUM, Long.MIN_VALUE))),
            Measurement.success("q01", "hive", 1, new Figures(ImmutableMap.of(Figure.ELAPSED, 8L))),
            Measurement.failure("q02", "hive", 1, "no, \"not\" this"));

    @Test
    void testMarkdown()
    {
        SavedReport report = MarkdownReports.parse(MARKDOWN, MEASUREMENTS);
        assertThat(report.markdown()).isEqualTo(MARKDOWN);
        assertThat(report.environment()).containsExactly(entry("machine", "two: cores"), entry("command", "some --options"));
        assertThat(report.section("Each").table().orElseThrow().rows()).containsExactly(
                ImmutableList.of("q01", "1,337.500", "`a || b`"),
                ImmutableList.of("q02", "", "1.52 [1.40, 1.60] hive"));
        assertThat(report.section("Checks").table()).isEmpty();
    }

    @Test
    void testJson()
    {
        SavedReport report = MarkdownReports.parse(MARKDOWN, MEASUREMENTS);
        String json = JsonReports.render(report);
        assertThat(JsonReports.parse(json)).isEqualTo(report);
        // A line for each row and for each measurement
        assertThat(json.lines().map(String::strip))
                .contains("[\"q01\",\"1,337.500\",\"`a || b`\"],", "{\"task\":\"q01\",\"catalog\":\"hive\",\"round\":1,\"elapsed_nanos\":8},");
    }

    @Test
    void testMistakes()
    {
        assertThatThrownBy(() -> MarkdownReports.parse("text", MEASUREMENTS)).isInstanceOf(IllegalArgumentException.class).hasMessage("not a report: text");
        assertThatThrownBy(() -> JsonReports.parse("{}")).isInstanceOf(IllegalArgumentException.class).hasMessage("not a report, because there is no 'environment'");
        assertThatThrownBy(() -> JsonReports.parse("{")).isInstanceOf(IllegalArgumentException.class).hasMessage("not JSON");
    }
}
