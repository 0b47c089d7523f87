package io.albis.benchmarks.page;

import com.google.common.io.MoreFiles;
import io.albis.benchmarks.measure.Measurement;
import io.albis.benchmarks.report.JsonReports;
import io.albis.benchmarks.report.MarkdownReports;
import io.albis.benchmarks.report.SavedReport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * A folder with saved reports, such as docs/results. The JSON files are the source of everything else.
 */
public record ResultFolder(Path folder)
{
    private static final String JSON = ".json";
    private static final String MARKDOWN = ".md";

    public ResultFolder
    {
        requireNonNull(folder, "folder is null");
    }

    /**
     * Returns the names of all reports.
     */
    public List<String> names()
    {
        return names(JSON);
    }

    private List<String> names(String extension)
    {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(extension))
                    .map(MoreFiles::getNameWithoutExtension)
                    .sorted()
                    .collect(toImmutableList());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns a report, or empty if there is none with this name.
     */
    public Optional<SavedReport> report(String name)
    {
        Path file = folder.resolve(name + JSON);
        return Files.exists(file) ? Optional.of(JsonReports.parse(read(file))) : Optional.empty();
    }

    /**
     * Creates the JSON of reports of builds that wrote only Markdown. It has no measurements.
     */
    public void importMarkdown()
    {
        for (String name : names(MARKDOWN)) {
            if (!Files.exists(folder.resolve(name + JSON))) {
                write(folder.resolve(name + JSON), JsonReports.render(MarkdownReports.parse(read(folder.resolve(name + MARKDOWN)), List.<Measurement>of())));
            }
        }
    }

    /**
     * Writes the Markdown of each report.
     *
     * @param output folder of the Markdown files
     */
    public void writeMarkdown(Path output)
    {
        for (String name : names()) {
            write(output.resolve(name + MARKDOWN), report(name).orElseThrow().markdown());
        }
    }

    private static String read(Path file)
    {
        try {
            return Files.readString(file);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text)
    {
        try {
            Files.writeString(file, text);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
