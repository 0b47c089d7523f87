package io.albis.trino.read;

import com.google.inject.Inject;
import io.albis.trino.config.AlbisReadConfig;
import io.trino.spi.catalog.CatalogName;
import jakarta.annotation.PreDestroy;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;

import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Runs read-ahead requests, so that the threads of the engine do not wait for storage.
 */
public class ReadAheadExecutor
        implements Executor
{
    private final ThreadPoolExecutor executor;

    @Inject
    public ReadAheadExecutor(CatalogName catalogName, AlbisReadConfig config)
    {
        this(catalogName.toString(), config.getReadAheadThreads());
    }

    ReadAheadExecutor(String name, int threads)
    {
        executor = new ThreadPoolExecutor(threads, threads, 60, SECONDS, new LinkedBlockingQueue<>(), daemonThreadsNamed("albis-read-ahead-" + name + "-%s"));
        // a catalog that reads only local files keeps no threads
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task)
    {
        executor.execute(task);
    }

    @PreDestroy
    public void shutdown()
    {
        // not shutdownNow: a reader may wait for a request that has started or is in the queue
        executor.shutdown();
    }
}
