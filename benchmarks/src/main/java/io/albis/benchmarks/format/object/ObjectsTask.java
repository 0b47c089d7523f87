package io.albis.benchmarks.format.object;

import com.google.common.collect.ImmutableMap;
import com.sun.management.ThreadMXBean;
import io.albis.benchmarks.format.data.Dataset;
import io.albis.benchmarks.format.file.FormatFiles;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;

import java.lang.management.ManagementFactory;
import java.util.Arrays;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Throwables.throwIfUnchecked;
import static com.google.common.collect.MoreCollectors.onlyElement;
import static java.util.Objects.requireNonNull;

/**
 * Counts the objects that a reader creates for each row, after the JVM has compiled it, because compiled code leaves out
 * some of them.
 *
 * @param rows number of rows of the dataset
 * @param warmUps number of scans before the one that counts
 */
public record ObjectsTask(Dataset dataset, long rows, FormatFiles files, int warmUps)
        implements Task
{
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    public ObjectsTask
    {
        requireNonNull(dataset, "dataset is null");
        checkArgument(rows > 0, "rows is not positive");
        requireNonNull(files, "files is null");
        checkArgument(warmUps >= 0, "warmUps is negative");
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
        try {
            for (int i = 0; i < warmUps; i++) {
                reader.read(files, dataset);
            }
            long objects = HeapObjects.created(() -> reader.read(files, dataset));
            long allocated = THREADS.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            reader.read(files, dataset);
            long elapsed = System.nanoTime() - start;
            allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
            return new Figures(ImmutableMap.of(
                    Figure.RESULT_ROWS, rows,
                    Figure.ROW_OBJECTS, Math.round(1000.0 * objects / rows),
                    Figure.ALLOCATED_PER_ROW, Math.round((double) allocated / rows),
                    Figure.ROW_TIME, Math.round(1000.0 * elapsed / rows)));
        }
        catch (Exception e) {
            throwIfUnchecked(e);
            throw new IllegalStateException(e);
        }
    }
}
