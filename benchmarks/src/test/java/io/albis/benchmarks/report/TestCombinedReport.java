package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestCombinedReport
{
    @Test
    void testReports()
    {
        String first =
                """
                # First

                - Trino: 483
                - command: first

                Text.

                ## Each

                | a | b |
                """;
        String second =
                """
                # Second

                - Trino: 483
                - command: second

                - A list.
                """;
        assertThat(CombinedReport.render("Both", ImmutableList.of(first, second))).isEqualTo(
                """
                # Both

                - Trino: 483

                ## First

                - command: first

                Text.

                ### Each

                | a | b |

                ## Second

                - command: second

                - A list.
                """);
        assertThat(CombinedReport.render("One", ImmutableList.of(first))).contains("# One\n\n- Trino: 483\n- command: first\n\n## First\n\nText.\n");
        assertThatThrownBy(() -> CombinedReport.render("None", ImmutableList.of("text")))
                .hasMessage("not a report: text");
    }

    @Test
    void testImages()
    {
        String report = "# First\n\n![CPU time](first-cpu.svg)\n\n![Elapsed time](first-elapsed.svg)\n\nA [link](page.md)\n";
        assertThat(CombinedReport.inFolder(report, "all $1.parts")).isEqualTo(
                "# First\n\n![CPU time](all $1.parts/first-cpu.svg)\n\n![Elapsed time](all $1.parts/first-elapsed.svg)\n\nA [link](page.md)\n");
    }
}
