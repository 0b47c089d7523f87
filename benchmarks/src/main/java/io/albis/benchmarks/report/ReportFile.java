package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.benchmarks.measure.Measurement;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import static com.google.common.io.MoreFiles.getNameWithoutExtension;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.util.Objects.requireNonNull;

/**
 * The file of a report and, next to it, the same as JSON, its charts, and the file with the raw figures. All are
 * rewritten whenever there are new measurements.
 *
 * @param environment properties that are known before the first measurement
 * @param charts draws the charts from what the JSON contains
 */
public record ReportFile(Path path, Map<String, String> environment, Function<SavedReport, List<DrawnChart>> charts)
{
    private static final String LOAD_AT_THE_START = "load of the machine at the start";
    // A run that continues another one has other values
    private static final Set<String> CHANGING = ImmutableSet.of("date", LOAD_AT_THE_START);

    public ReportFile
    {
        requireNonNull(path, "path is null");
        requireNonNull(charts, "charts is null");
        environment = ImmutableMap.<String, String>builder()
                .putAll(environment)
                .put(LOAD_AT_THE_START, Environment.load())
                .buildOrThrow();
    }

    /**
     * Returns the measurements of an earlier run that wrote these files with the same command, on the same machine, and
     * with the same builds.
     *
     * @return measurements of complete rounds and their warm-up rounds; empty if there is no such run
     */
    public List<Measurement> earlier()
    {
        if (!Files.exists(path) || !Files.exists(rawFigures())) {
            return ImmutableList.of();
        }
        try {
            List<String> report = Files.readAllLines(path);
            boolean same = environment.entrySet().stream()
                    .filter(entry -> !CHANGING.contains(entry.getKey()))
                    .allMatch(entry -> report.contains("- %s: %s".formatted(entry.getKey(), entry.getValue())));
            return same ? RawFigures.parse(Files.readString(rawFigures())) : ImmutableList.of();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes the report, as Markdown and as JSON, its charts, and the raw figures.
     *
     * @param report renders the report for a given environment
     */
    public void write(List<Measurement> measurements, Function<Map<String, String>, String> report)
    {
        try {
            String markdown = report.apply(ImmutableMap.<String, String>builder()
                    .putAll(environment)
                    .put("load of the machine at the end", Environment.load())
                    .buildOrThrow());
            SavedReport saved = MarkdownReports.parse(markdown, measurements);
            replace(sibling(".json"), JsonReports.render(saved));
            replace(rawFigures(), RawFigures.render(measurements));
            List<DrawnChart> drawn = charts.apply(saved);
            for (DrawnChart chart : drawn) {
                replace(image(chart), chart.svg());
            }
            replace(path, drawn.isEmpty() ? markdown : saved.withFirst(images(drawn)).markdown());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path image(DrawnChart chart)
    {
        return sibling("-%s.svg".formatted(chart.name()));
    }

    private SavedSection images(List<DrawnChart> charts)
    {
        ImmutableList.Builder<String> lines = ImmutableList.<String>builder().add("");
        for (DrawnChart chart : charts) {
            lines.add("![%s](%s)".formatted(chart.title(), image(chart).getFileName()), "");
        }
        return new SavedSection("Charts", ImmutableList.of(new SavedLines(lines.build())));
    }

    private Path rawFigures()
    {
        return sibling(".csv");
    }

    private Path sibling(String end)
    {
        return path.resolveSibling(getNameWithoutExtension(path) + end);
    }

    /**
     * Replaces a file as a whole, so that an interruption leaves the file of the round before.
     */
    private static void replace(Path file, String content)
            throws IOException
    {
        Path written = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(written, content);
        Files.move(written, file, REPLACE_EXISTING);
    }
}
