package io.albis.benchmarks.format;

import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.format.data.Dataset;
import io.albis.benchmarks.format.file.FormatFiles;
import io.albis.benchmarks.format.file.TableFormat;
import io.albis.benchmarks.format.jmh.JmhRunner;
import io.albis.benchmarks.format.jmh.JmhRunner.Score;
import io.albis.benchmarks.format.jmh.ReadBenchmark;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Measures one scan of one dataset in any format. If the runner has several threads, each of them scans the dataset.
 *
 * @param rows number of rows that the scan returns, which is checked before the measurement
 * @param values number of values that the scan returns
 * @param dataBytes size of the values that are not null
 */
record ReadTask(String name, Dataset dataset, String scan, long rows, long values, long dataBytes, Path data, JmhRunner jmh)
        implements Task
{
    ReadTask
    {
        requireNonNull(name, "name is null");
        requireNonNull(dataset, "dataset is null");
        requireNonNull(scan, "scan is null");
        checkArgument(rows > 0, "rows is not positive");
        checkArgument(values > 0, "values is not positive");
        requireNonNull(data, "data is null");
        requireNonNull(jmh, "jmh is null");
    }

    @Override
    public boolean appliesTo(String contender)
    {
        return !contender.equals(MachineTask.CONTENDER);
    }

    @Override
    public Figures run(String contender)
    {
        TableFormat format = TableFormat.parse(contender);
        Score score = jmh.run(ReadBenchmark.class, ImmutableMap.of(
                "data", data.toString(),
                "dataset", dataset.name(),
                "format", format.name(),
                "scan", scan));
        Figures figures = new Figures(ImmutableMap.<Figure, Long>builder()
                .put(Figure.RESULT_ROWS, rows)
                .put(Figure.OPERATION, Math.round(score.nanos()))
                .put(Figure.OPERATION_CPU, Math.round(score.cpuNanos()))
                .put(Figure.VALUE_RATE, Math.round(jmh.threads() * values * 1e9 / score.nanos()))
                .put(Figure.GOODPUT, Math.round(jmh.threads() * dataBytes * Byte.SIZE * 1e9 / score.nanos()))
                .put(Figure.ROW_TIME, perRow(score.nanos()))
                .put(Figure.ALLOCATED_PER_ROW, Math.round(score.allocatedBytes() / rows))
                .put(Figure.BYTES_ON_DISK, size(format))
                .buildOrThrow());
        if (score.instructions().isPresent() && score.cacheMisses().isPresent()) {
            figures = figures
                    .with(Figure.ROW_INSTRUCTIONS, perRow(score.instructions().getAsDouble()))
                    .with(Figure.ROW_CACHE_MISSES, perRow(score.cacheMisses().getAsDouble()));
        }
        return figures;
    }

    /**
     * Returns thousandths for each row.
     */
    private long perRow(double figure)
    {
        return Math.round(1000 * figure / rows);
    }

    private long size(TableFormat format)
    {
        try {
            return new FormatFiles(data).size(dataset, format);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
