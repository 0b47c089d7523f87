package io.albis.trino.manifest;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.albis.table.manifest.ConcurrentReads.ReadCall;
import io.albis.trino.config.AlbisReadConfig;
import io.trino.spi.catalog.CatalogName;
import jakarta.annotation.PreDestroy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;

import static com.google.common.base.Throwables.throwIfInstanceOf;
import static com.google.common.base.Throwables.throwIfUnchecked;
import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static io.trino.plugin.base.util.ExecutorUtil.processWithAdditionalThreads;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Reads several manifests concurrently. All queries share its threads. Each query also reads in its own thread, so no
 * query waits for others.
 */
public class ManifestExecutor
{
    private final ThreadPoolExecutor executor;

    @Inject
    public ManifestExecutor(CatalogName catalogName, AlbisReadConfig config)
    {
        this(catalogName.toString(), config.getManifestReadThreads());
    }

    public ManifestExecutor(String name, int threads)
    {
        executor = new ThreadPoolExecutor(threads, threads, 60, SECONDS, new LinkedBlockingQueue<>(), daemonThreadsNamed("albis-manifest-" + name + "-%s"));
        // workers read no manifests, so they keep no threads
        executor.allowCoreThreadTimeOut(true);
    }

    /**
     * Makes all calls and waits for their results.
     *
     * @return the results in the order of the calls
     * @throws IOException if a call fails, and also if this thread is interrupted or the catalog is shut down. These
     *         are IO failures because a commit must not mistake them for a failure after it has written a version.
     */
    public <T> List<T> callAll(List<ReadCall<T>> calls)
            throws IOException
    {
        if (calls.size() == 1) {
            return ImmutableList.of(calls.getFirst().call());
        }
        ImmutableList.Builder<Callable<T>> tasks = ImmutableList.builder();
        calls.forEach(call -> tasks.add(call::call));
        try {
            return processWithAdditionalThreads(tasks.build(), executor);
        }
        catch (ExecutionException e) {
            throwIfInstanceOf(e.getCause(), IOException.class);
            throwIfUnchecked(e.getCause());
            throw new IOException(e.getCause());
        }
        catch (RejectedExecutionException e) {
            throw new IOException("The catalog is shutting down", e);
        }
        catch (RuntimeException e) {
            if (e.getCause() instanceof InterruptedException) {
                InterruptedIOException interrupted = new InterruptedIOException("Interrupted while reading manifests");
                interrupted.initCause(e);
                throw interrupted;
            }
            throw e;
        }
    }

    @PreDestroy
    public void shutdown()
    {
        // not shutdownNow: a query may wait for a read that has started
        executor.shutdown();
    }
}
