package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Measurement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

class TestReportFile
{
    private static final List<Measurement> MEASUREMENTS = ImmutableList.of(
            Measurement.success("q01", "albis", 1, new Figures(ImmutableMap.of(Figure.RESULT_ROWS, 7L))));

    @TempDir
    private Path folder;

    @Test
    void testEarlierRun()
    {
        assertThat(file("2026-11-26", "tpch --runs 3").earlier()).isEmpty();
        file("2026-11-26", "tpch --runs 3").write(MEASUREMENTS, TestReportFile::report);
        assertThat(file("2026-11-27", "tpch --runs 3").earlier()).isEqualTo(MEASUREMENTS);
        assertThat(file("2026-11-27", "tpch --runs 4").earlier()).isEmpty();
    }

    @Test
    void testEarlierRunOfAnotherBuild()
    {
        Map<String, String> environment = Environment.describe();
        ReportFile file = new ReportFile(folder.resolve("report.md"), environment, _ -> ImmutableList.of());
        file.write(MEASUREMENTS, TestReportFile::report);
        assertThat(file.earlier()).isEqualTo(MEASUREMENTS);
        for (String build : new String[] {"Trino", "Albis", "benchmarks"}) {
            assertThat(environment).containsKey(build);
            Map<String, String> other = new LinkedHashMap<>(environment);
            other.put(build, "another build");
            assertThat(new ReportFile(folder.resolve("report.md"), other, _ -> ImmutableList.of()).earlier()).as(build).isEmpty();
        }
    }

    @Test
    void testWrite()
            throws IOException
    {
        file("2026-11-26", "tpch").write(ImmutableList.of(), TestReportFile::report);
        file("2026-11-26", "tpch").write(MEASUREMENTS, TestReportFile::report);
        assertThat(Files.readString(folder.resolve("report.md"))).startsWith("# A report\n\n- date: 2026-11-26\n- command: tpch\n- load of the machine at the start: ");
        SavedReport saved = JsonReports.parse(Files.readString(folder.resolve("report.json")));
        assertThat(saved.markdown()).isEqualTo(Files.readString(folder.resolve("report.md")));
        assertThat(saved.measurements()).isEqualTo(MEASUREMENTS);
        assertThat(Files.readString(folder.resolve("report.csv"))).isEqualTo(RawFigures.render(MEASUREMENTS));
        assertThat(folder).isDirectoryNotContaining("glob:**.new");
    }

    @Test
    void testCharts()
            throws IOException
    {
        new ReportFile(folder.resolve("report.md"), ImmutableMap.of("date", "2026-11-26"), saved -> ImmutableList.of(
                new DrawnChart("cpu-lines", "CPU time", "<svg>%s</svg>".formatted(saved.title())),
                new DrawnChart("elapsed-bars", "Elapsed time", "<svg/>")))
                .write(MEASUREMENTS, environment -> report(environment) + "\nMedians.\n\n## Each\n\nText.\n");
        assertThat(folder.resolve("report-cpu-lines.svg")).hasContent("<svg>A report</svg>");
        assertThat(folder.resolve("report-elapsed-bars.svg")).hasContent("<svg/>");
        assertThat(folder.resolve("report.md")).content().endsWith(
                """

                Medians.

                ## Charts

                ![CPU time](report-cpu-lines.svg)

                ![Elapsed time](report-elapsed-bars.svg)

                ## Each

                Text.
                """);
        // Charts are drawn from the JSON, which is the same without them
        assertThat(JsonReports.parse(Files.readString(folder.resolve("report.json"))).sections()).extracting(SavedSection::title).containsExactly("Each");
    }

    private ReportFile file(String date, String command)
    {
        return new ReportFile(folder.resolve("report.md"), ImmutableMap.of("date", date, "command", command), _ -> ImmutableList.of());
    }

    private static String report(Map<String, String> environment)
    {
        return environment.entrySet().stream()
                .map(entry -> "- %s: %s\n".formatted(entry.getKey(), entry.getValue()))
                .collect(joining("", "# A report\n\n", ""));
    }
}
