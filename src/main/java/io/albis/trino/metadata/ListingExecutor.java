package io.albis.trino.metadata;

import com.google.common.util.concurrent.MoreExecutors;
import com.google.inject.Inject;
import io.airlift.concurrent.BoundedExecutor;
import io.albis.trino.config.AlbisListingConfig;
import io.trino.spi.catalog.CatalogName;
import jakarta.annotation.PreDestroy;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.Executors.newCachedThreadPool;

/**
 * Provides the threads that load tables for listings, in addition to the thread of the query.
 */
public class ListingExecutor
{
    private final ExecutorService threads;
    private final int parallelism;

    @Inject
    public ListingExecutor(CatalogName catalogName, AlbisListingConfig config)
    {
        this(newCachedThreadPool(daemonThreadsNamed("albis-listing-" + catalogName + "-%s")), config.getParallelism());
    }

    ListingExecutor(ExecutorService threads, int parallelism)
    {
        this.threads = requireNonNull(threads, "threads is null");
        this.parallelism = parallelism;
    }

    /**
     * Returns an executor that runs each task in the calling thread.
     */
    public static ListingExecutor direct()
    {
        return new ListingExecutor(MoreExecutors.newDirectExecutorService(), 1);
    }

    /**
     * Returns the executor of one transaction. Its limit is its own, so the listing of one query does not wait for that
     * of another.
     */
    public Executor forTransaction()
    {
        return new BoundedExecutor(threads, parallelism);
    }

    @PreDestroy
    public void shutdown()
    {
        threads.shutdownNow();
    }
}
