package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Measurement;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import static com.google.common.io.MoreFiles.getNameWithoutExtension;
import static java.util.Objects.requireNonNull;

/**
 * The file of a report and, next to it, the file with the raw figures. Both are rewritten whenever there are new
 * measurements.
 *
 * @param environment properties that are known before the first measurement
 */
public record ReportFile(Path path, Map<String, String> environment)
{
    public ReportFile
    {
        requireNonNull(path, "path is null");
        environment = ImmutableMap.<String, String>builder()
                .putAll(environment)
                .put("load of the machine at the start", Environment.load())
                .buildOrThrow();
    }

    /**
     * Writes the report and the raw figures.
     *
     * @param report renders the report for a given environment
     */
    public void write(List<Measurement> measurements, Function<Map<String, String>, String> report)
    {
        try {
            Files.writeString(path, report.apply(ImmutableMap.<String, String>builder()
                    .putAll(environment)
                    .put("load of the machine at the end", Environment.load())
                    .buildOrThrow()));
            Files.writeString(path.resolveSibling(getNameWithoutExtension(path) + ".csv"), RawFigures.render(measurements));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
