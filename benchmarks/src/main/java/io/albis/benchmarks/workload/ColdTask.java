package io.albis.benchmarks.workload;

import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static java.util.Objects.requireNonNull;

/**
 * A task that runs with cold caches. The caches of the operating system are dropped before each run.
 */
public record ColdTask(Task task)
        implements Task
{
    private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");
    // The page cache, and the cached metadata of directories and files
    private static final String EVERYTHING = "3";

    public ColdTask
    {
        requireNonNull(task, "task is null");
    }

    @Override
    public String name()
    {
        return task.name();
    }

    @Override
    public boolean appliesTo(String catalog)
    {
        return task.appliesTo(catalog);
    }

    @Override
    public Figures run(String catalog)
    {
        try {
            // Pages that have not been written yet cannot be dropped
            Process sync = new ProcessBuilder("sync").inheritIO().start();
            if (sync.waitFor() != 0) {
                throw new IllegalStateException("sync failed");
            }
            Files.writeString(DROP_CACHES, EVERYTHING);
        }
        catch (IOException e) {
            throw new UncheckedIOException("The caches could not be dropped, which takes root on Linux", e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return task.run(catalog);
    }
}
