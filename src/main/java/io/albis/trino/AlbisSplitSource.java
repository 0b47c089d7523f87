package io.albis.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.airlift.units.DataSize;
import io.albis.format.AlbisColumn;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.metrics.Metrics;
import io.trino.spi.predicate.TupleDomain;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import static com.google.common.primitives.Doubles.constrainToRange;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.albis.trino.FilterPushdown.PRUNING_RANGES;
import static java.util.Objects.requireNonNull;

/**
 * Makes a split of each row group whose bounds do not exclude the predicate.
 */
class AlbisSplitSource
        implements ConnectorSplitSource
{
    private static final long STANDARD_SPLIT_BYTES = DataSize.of(128, MEGABYTE).toBytes();
    private static final double MIN_WEIGHT = 0.05;

    private final Supplier<List<RowGroup>> loader;
    private final TupleDomain<AlbisColumn> predicate;
    private final boolean pruning;
    private final long dynamicFilterWaitMillis;
    private final Executor executor;

    @GuardedBy("this")
    private Iterator<RowGroup> rowGroups;
    @GuardedBy("this")
    private DynamicFilterSnapshot dynamicFilter = DynamicFilterSnapshot.EMPTY;
    @GuardedBy("this")
    private TupleDomain<AlbisColumn> currentPredicate;
    private volatile boolean finished;
    private volatile long createdSplits;
    private volatile long prunedRowGroups;

    /**
     * @param loader reads manifests, once
     */
    public AlbisSplitSource(
            Supplier<List<RowGroup>> loader,
            TupleDomain<AlbisColumnHandle> predicate,
            boolean pruning,
            long dynamicFilterWaitMillis,
            Executor executor)
    {
        this.loader = requireNonNull(loader, "loader is null");
        this.predicate = toColumns(predicate);
        this.currentPredicate = this.predicate;
        this.pruning = pruning;
        this.dynamicFilterWaitMillis = dynamicFilterWaitMillis;
        this.executor = requireNonNull(executor, "executor is null");
    }

    @Override
    public CompletableFuture<List<ConnectorSplit>> getNextBatch(int maxSize, DynamicFilterSnapshot dynamicFilterSnapshot)
    {
        CompletableFuture<List<ConnectorSplit>> batch = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                batch.complete(nextBatch(maxSize, dynamicFilterSnapshot));
            }
            catch (Throwable e) {
                // as it is: supplyAsync would wrap it, and the query would not show the code of the error
                batch.completeExceptionally(e);
            }
        });
        return batch;
    }

    private synchronized List<ConnectorSplit> nextBatch(int maxSize, DynamicFilterSnapshot dynamicFilterSnapshot)
    {
        narrow(dynamicFilterSnapshot);
        if (finished || currentPredicate.isNone()) {
            finished = true;
            return ImmutableList.of();
        }
        if (rowGroups == null) {
            rowGroups = loader.get().iterator();
        }
        ImmutableList.Builder<ConnectorSplit> splits = ImmutableList.builder();
        int size = 0;
        while (size < maxSize && rowGroups.hasNext()) {
            RowGroup rowGroup = rowGroups.next();
            if (pruning && !StatisticsDomains.overlaps(rowGroup, currentPredicate)) {
                prunedRowGroups++;
                continue;
            }
            splits.add(toSplit(rowGroup));
            size++;
        }
        createdSplits += size;
        if (!rowGroups.hasNext()) {
            finished = true;
        }
        return splits.build();
    }

    @GuardedBy("this")
    private void narrow(DynamicFilterSnapshot snapshot)
    {
        if (!pruning || snapshot.currentPredicate().equals(dynamicFilter.currentPredicate())) {
            return;
        }
        dynamicFilter = snapshot;
        currentPredicate = predicate.intersect(toColumns(snapshot.currentPredicate()
                .filter((column, _) -> column instanceof AlbisColumnHandle)
                .transformKeys(AlbisColumnHandle.class::cast)));
    }

    private static TupleDomain<AlbisColumn> toColumns(TupleDomain<AlbisColumnHandle> predicate)
    {
        return predicate
                .simplify(PRUNING_RANGES)
                .transformKeys(AlbisColumnHandle::toColumn);
    }

    private static ConnectorSplit toSplit(RowGroup rowGroup)
    {
        double weight = constrainToRange((double) rowGroup.bytes() / STANDARD_SPLIT_BYTES, MIN_WEIGHT, 1);
        return new AlbisSplit(rowGroup.withStatistics(ImmutableList.of()), weight);
    }

    @Override
    public long getRequestedDynamicFilterWaitTimeoutMillis()
    {
        return dynamicFilterWaitMillis;
    }

    @Override
    public Metrics getMetrics()
    {
        return new Metrics(ImmutableMap.of(
                "Albis row groups left", new LongCount(createdSplits),
                "Albis row groups pruned", new LongCount(prunedRowGroups)));
    }

    @Override
    public boolean isFinished()
    {
        return finished;
    }

    @Override
    public void close()
    {
        finished = true;
    }
}
