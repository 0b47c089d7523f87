package io.albis.trino.split;

import com.google.inject.Inject;
import io.trino.spi.catalog.CatalogName;
import jakarta.annotation.PreDestroy;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static java.util.concurrent.Executors.newCachedThreadPool;

/**
 * Runs the reads of manifests and the searches of table functions, so that the scheduler threads of the engine do not
 * wait for storage.
 */
public class SplitSourceExecutor
        implements Executor
{
    private final ExecutorService executor;

    @Inject
    public SplitSourceExecutor(CatalogName catalogName)
    {
        executor = newCachedThreadPool(daemonThreadsNamed("albis-split-source-" + catalogName + "-%s"));
    }

    @Override
    public void execute(Runnable task)
    {
        executor.execute(task);
    }

    @PreDestroy
    public void shutdown()
    {
        executor.shutdownNow();
    }
}
