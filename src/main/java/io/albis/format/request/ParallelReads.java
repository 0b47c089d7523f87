package io.albis.format.request;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

import static com.google.common.base.Throwables.throwIfInstanceOf;
import static com.google.common.base.Throwables.throwIfUnchecked;

/**
 * Performs several reads in parallel. The calling thread performs the reads that no thread of the executor has started,
 * so that it never waits for a free thread.
 */
public final class ParallelReads
{
    // the remaining results are not needed after a failure
    private final AtomicBoolean failed = new AtomicBoolean();
    private final List<FutureTask<?>> tasks = new ArrayList<>();

    /**
     * Adds a read, whose result is null after another one has failed.
     */
    public <T> FutureTask<T> add(Callable<T> read)
    {
        FutureTask<T> task = new FutureTask<>(() -> failed.get() ? null : read.call());
        tasks.add(task);
        return task;
    }

    public int size()
    {
        return tasks.size();
    }

    /**
     * Performs all reads, and waits until they have ended.
     */
    public void runAll(Executor executor)
            throws IOException
    {
        try {
            for (FutureTask<?> task : tasks.subList(1, tasks.size())) {
                executor.execute(task);
            }
        }
        catch (RejectedExecutionException _) {
            // The executor is shut down because the catalog is being closed. The calling thread performs all reads.
        }
        Throwable failure = null;
        for (FutureTask<?> task : tasks) {
            // has no effect if another thread has started the task
            task.run();
            try {
                task.get();
            }
            catch (InterruptedException e) {
                failed.set(true);
                Thread.currentThread().interrupt();
                InterruptedIOException exception = new InterruptedIOException("interrupted while waiting for storage");
                exception.initCause(e);
                throw exception;
            }
            catch (ExecutionException e) {
                failed.set(true);
                failure = failure == null ? e.getCause() : failure;
            }
        }
        if (failure != null) {
            throwIfInstanceOf(failure, IOException.class);
            throwIfUnchecked(failure);
            throw new IOException(failure);
        }
    }
}
