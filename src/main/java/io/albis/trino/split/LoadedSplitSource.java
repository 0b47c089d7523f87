package io.albis.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.common.util.concurrent.ListenableFutureTask;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Supplier;

import static com.google.common.collect.Iterators.limit;
import static com.google.common.util.concurrent.Futures.immediateVoidFuture;
import static io.airlift.concurrent.MoreFutures.toCompletableFuture;
import static java.util.Objects.requireNonNull;

/**
 * Generates splits that are found without the predicates and dynamic filters of the query. It starts to find them when
 * the engine requests the first ones, because this may read many tables.
 */
class LoadedSplitSource
        implements ConnectorSplitSource
{
    private final Supplier<? extends Iterable<ConnectorSplit>> loader;
    private final Executor executor;

    @GuardedBy("this")
    private Iterator<ConnectorSplit> splits;
    private volatile Future<?> batch = immediateVoidFuture();
    private volatile boolean finished;

    /**
     * Creates a split source that has not read any tables yet.
     *
     * @param loader finds all splits, or those that are requested; called at most once, in a thread of the executor
     */
    LoadedSplitSource(Supplier<? extends Iterable<ConnectorSplit>> loader, Executor executor)
    {
        this.loader = requireNonNull(loader, "loader is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    @Override
    public CompletableFuture<List<ConnectorSplit>> getNextBatch(int maxSize, DynamicFilterSnapshot dynamicFilterSnapshot)
    {
        ListenableFutureTask<List<ConnectorSplit>> task = ListenableFutureTask.create(() -> nextBatch(maxSize));
        batch = task;
        executor.execute(task);
        return toCompletableFuture(task);
    }

    private synchronized List<ConnectorSplit> nextBatch(int maxSize)
    {
        if (finished) {
            return ImmutableList.of();
        }
        if (splits == null) {
            splits = loader.get().iterator();
        }
        List<ConnectorSplit> next = ImmutableList.copyOf(limit(splits, maxSize));
        finished = !splits.hasNext();
        return next;
    }

    @Override
    public boolean isFinished()
    {
        return finished;
    }

    /**
     * Also interrupts a search that is in progress, because nobody needs its result.
     */
    @Override
    public void close()
    {
        finished = true;
        batch.cancel(true);
    }
}
