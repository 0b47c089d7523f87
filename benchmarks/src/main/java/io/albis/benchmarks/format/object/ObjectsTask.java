package io.albis.benchmarks.format.object;

import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.format.data.Dataset;
import io.albis.benchmarks.format.object.ObjectsProcess.Counts;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.MoreCollectors.onlyElement;
import static java.util.Objects.requireNonNull;

/**
 * Counts the objects that a reader creates for each row, after the JVM has compiled it, because compiled code leaves
 * out some of them.
 *
 * @param rows number of rows of the dataset
 * @param data folder with the files of the dataset
 * @param warmUps number of scans before the one that counts
 * @param heapMegabytes size of the heap of the process that counts
 */
public record ObjectsTask(Dataset dataset, long rows, Path data, int warmUps, int heapMegabytes)
        implements Task
{
    public ObjectsTask
    {
        requireNonNull(dataset, "dataset is null");
        checkArgument(rows > 0, "rows is not positive");
        requireNonNull(data, "data is null");
        checkArgument(warmUps >= 0, "warmUps is negative");
        checkArgument(heapMegabytes > 0, "heapMegabytes is not positive");
    }

    @Override
    public String name()
    {
        return "store_sales";
    }

    @Override
    public Figures run(String contender)
    {
        ObjectReader reader = Arrays.stream(ObjectReader.values())
                .filter(candidate -> candidate.label().equals(contender))
                .collect(onlyElement());
        Counts counts = count(reader);
        return new Figures(ImmutableMap.of(
                Figure.RESULT_ROWS, rows,
                Figure.ROW_OBJECTS, Math.round(1000.0 * counts.objects() / rows),
                Figure.ALLOCATED_PER_ROW, Math.round((double) counts.allocatedBytes() / rows),
                Figure.ROW_TIME, Math.round(1000.0 * counts.nanos() / rows)));
    }

    private Counts count(ObjectReader reader)
    {
        try {
            return ObjectsProcess.run(reader, data, dataset, warmUps, heapMegabytes);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
