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
 * Threads that load tables for listings, besides the thread that asks.
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
     * Everything happens in the thread that asks.
     */
    public static ListingExecutor direct()
    {
        return new ListingExecutor(MoreExecutors.newDirectExecutorService(), 1);
    }

    /**
     * For one transaction, so that the listing of one query does not wait for that of another.
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
