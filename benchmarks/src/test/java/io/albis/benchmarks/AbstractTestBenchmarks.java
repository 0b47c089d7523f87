package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Measurement;
import io.albis.benchmarks.report.RawFigures;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import static com.google.common.collect.MoreCollectors.onlyElement;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs single benchmarks with the smallest amount of data.
 */
abstract class AbstractTestBenchmarks
{
    @TempDir
    protected Path folder;

    /**
     * Runs a benchmark of queries with one round.
     *
     * @return the report
     */
    protected final String run(String command, String... arguments)
            throws IOException
    {
        return run(ImmutableList.of(command, "--scale", "tiny", "--warm-up", "0", "--runs", "1"), arguments);
    }

    /**
     * Runs a benchmark of the format alone with one round, in this process.
     *
     * @return the report
     */
    protected final String runFormat(String command, String... arguments)
            throws IOException
    {
        return run(ImmutableList.of(command, "--runs", "1", "--warm-up", "0", "--iterations", "1", "--seconds", "0.001", "--processes", "0"), arguments);
    }

    /**
     * Runs benchmarks together with a minimum of everything, in this process.
     *
     * @return the report, whose parts are in the folder {@code report.parts}
     */
    protected final String runAll(String pieces)
            throws IOException
    {
        return run(ImmutableList.of("all", "--quick", "--in-process", "--pieces", pieces));
    }

    private String run(List<String> command, String... arguments)
            throws IOException
    {
        assertThat(execute(ImmutableList.<String>builder()
                .addAll(command)
                .add("--data", folder.resolve("data").toString(), "--output", folder.resolve("report.md").toString())
                .add(arguments)
                .build()
                .toArray(String[]::new))).isEqualTo(0);
        return Files.readString(folder.resolve("report.md"));
    }

    /**
     * Returns a figure of all measurements that have it.
     */
    protected final List<Long> figures(String column)
            throws IOException
    {
        Figure figure = Arrays.stream(Figure.values())
                .filter(candidate -> candidate.columnName().equals(column))
                .collect(onlyElement());
        return measurements().stream()
                .flatMap(measurement -> measurement.figures().stream())
                .filter(figures -> figures.has(figure))
                .map(figures -> figures.get(figure))
                .toList();
    }

    /**
     * Returns a figure of the only measurement of a task in a catalog.
     */
    protected final long figure(Figure figure, String task, String catalog)
            throws IOException
    {
        return measurements().stream()
                .filter(measurement -> measurement.task().equals(task) && measurement.catalog().equals(catalog))
                .map(measurement -> measurement.figures().orElseThrow().get(figure))
                .collect(onlyElement());
    }

    private List<Measurement> measurements()
            throws IOException
    {
        return RawFigures.parse(Files.readString(folder.resolve("report.csv")));
    }

    protected static int execute(String... arguments)
    {
        return Benchmarks.commandLine().execute(arguments);
    }
}
