package io.albis.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.partition.RowGroupPredicate;
import io.albis.table.version.ManifestSelection;
import io.albis.table.version.RowGroupPieces;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisSplit;
import io.albis.trino.partition.RowGroupBuckets;
import io.albis.trino.pushdown.PruningPredicate;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.metrics.Metric;
import io.trino.spi.metrics.Metrics;
import io.trino.spi.predicate.TupleDomain;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import static io.albis.trino.error.AlbisErrors.translate;
import static java.util.Collections.emptyIterator;
import static java.util.Objects.requireNonNull;

/**
 * Generates the splits of a scan. It prunes manifests and row groups whose bounds exclude the predicate or the dynamic
 * filters, and row groups whose partitions do. It generates one split for each remaining row group, or several for a
 * large one.
 */
public class AlbisSplitSource
        implements ConnectorSplitSource
{
    // Each lookup is a request to the file system, and the first splits should not wait for many of them
    private static final int MAX_LOOKUPS = 100;

    private final Supplier<RowGroupPieces> loader;
    private final TupleDomain<AlbisColumn> predicate;
    private final boolean pruning;
    private final ToLongFunction<RowGroup> maxSplitBytes;
    private final Optional<HostLookup> hostLookup;
    private final Optional<RowGroupBuckets> buckets;
    private final long dynamicFilterWaitMillis;
    private final Executor executor;

    // null until the first batch
    @GuardedBy("this")
    private RowGroupPieces scan;
    // remaining row groups of the current piece of the scan
    @GuardedBy("this")
    private Iterator<RowGroup> rowGroups = emptyIterator();
    // remaining splits of the current row group
    @GuardedBy("this")
    private Iterator<AlbisSplit> shares = emptyIterator();
    @GuardedBy("this")
    private DynamicFilterSnapshot dynamicFilter = DynamicFilterSnapshot.EMPTY;
    @GuardedBy("this")
    private RowGroupPredicate matching;
    private volatile boolean finished;
    private volatile long selectedRowGroups;
    private volatile long prunedRowGroups;
    private volatile long locatedRowGroups;
    private volatile long selectedManifests;
    private volatile long prunedManifests;

    /**
     * Creates a split source that has not read any manifests yet.
     *
     * @param loader starts to read the manifests; called at most once, in a thread of the executor
     * @param pruning whether manifests and row groups are pruned
     * @param maxSplitBytes returns the size on storage above which a row group has several splits, in bytes
     * @param hostLookup finds the machines that store the data of a split; empty if splits have no addresses
     * @param buckets finds the buckets of row groups; empty if the scan is not distributed by buckets
     * @param dynamicFilterWaitMillis how long the engine waits for dynamic filters before it requests splits; 0 for not
     *         at all
     */
    public AlbisSplitSource(
            Supplier<RowGroupPieces> loader,
            TupleDomain<AlbisColumn> predicate,
            boolean pruning,
            ToLongFunction<RowGroup> maxSplitBytes,
            Optional<HostLookup> hostLookup,
            Optional<RowGroupBuckets> buckets,
            long dynamicFilterWaitMillis,
            Executor executor)
    {
        this.loader = requireNonNull(loader, "loader is null");
        this.predicate = requireNonNull(predicate, "predicate is null");
        this.matching = new RowGroupPredicate(this.predicate);
        this.pruning = pruning;
        this.maxSplitBytes = requireNonNull(maxSplitBytes, "maxSplitBytes is null");
        this.hostLookup = requireNonNull(hostLookup, "hostLookup is null");
        this.buckets = requireNonNull(buckets, "buckets is null");
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
                // unwrapped: supplyAsync would wrap it, and the query would fail without the error code
                batch.completeExceptionally(e);
            }
        });
        return batch;
    }

    private synchronized List<ConnectorSplit> nextBatch(int maxSize, DynamicFilterSnapshot dynamicFilterSnapshot)
    {
        narrow(dynamicFilterSnapshot);
        if (finished || matching.predicate().isNone()) {
            finished = true;
            return ImmutableList.of();
        }
        if (scan == null) {
            scan = loader.get();
        }
        ImmutableList.Builder<ConnectorSplit> splits = ImmutableList.builder();
        int size = 0;
        long lastRowGroup = hostLookup.isPresent() ? selectedRowGroups + MAX_LOOKUPS : Long.MAX_VALUE;
        while (size < maxSize && (shares.hasNext() || (selectedRowGroups < lastRowGroup && nextRowGroup(size == 0)))) {
            splits.add(shares.next());
            size++;
        }
        if (!shares.hasNext() && !rowGroups.hasNext() && scan.isFinished()) {
            finished = true;
        }
        return splits.build();
    }

    @GuardedBy("this")
    private boolean overlaps(RowGroup rowGroup)
    {
        return translate(() -> matching.overlaps(rowGroup));
    }

    /**
     * Creates the splits of the next row group.
     *
     * @param mayRead whether the next piece of the scan may be read
     * @return false if there is no further row group yet
     */
    @GuardedBy("this")
    private boolean nextRowGroup(boolean mayRead)
    {
        while (hasRowGroup(mayRead)) {
            RowGroup rowGroup = rowGroups.next();
            if (!pruning || overlaps(rowGroup)) {
                selectedRowGroups++;
                FileHosts hosts = hostLookup.map(lookup -> lookup.find(rowGroup)).orElse(FileHosts.UNKNOWN);
                if (!hosts.blocks().isEmpty()) {
                    locatedRowGroups++;
                }
                shares = RowGroupSplits.split(rowGroup, maxSplitBytes.applyAsLong(rowGroup), hosts, bucket(rowGroup));
                return true;
            }
            prunedRowGroups++;
        }
        return false;
    }

    private long bucket(RowGroup rowGroup)
    {
        return buckets.isEmpty() ? 0 : translate(() -> buckets.get().get(rowGroup));
    }

    @GuardedBy("this")
    private boolean hasRowGroup(boolean mayRead)
    {
        while (!rowGroups.hasNext()) {
            // the splits that are known do not wait for others, and nobody needs them after the source is closed
            if (!mayRead || finished || scan.isFinished()) {
                return false;
            }
            ManifestSelection selection = translate(() -> scan.next(pruning ? matching.predicate() : TupleDomain.all()));
            selectedManifests += selection.manifests();
            prunedManifests += selection.prunedManifests();
            prunedRowGroups += selection.prunedRowGroups();
            rowGroups = selection.rowGroups().iterator();
        }
        return true;
    }

    @GuardedBy("this")
    private void narrow(DynamicFilterSnapshot snapshot)
    {
        if (!pruning || snapshot.currentPredicate().equals(dynamicFilter.currentPredicate())) {
            return;
        }
        dynamicFilter = snapshot;
        matching = new RowGroupPredicate(predicate.intersect(PruningPredicate.of(snapshot.currentPredicate()
                .filter((column, _) -> column instanceof AlbisColumnHandle)
                .transformKeys(AlbisColumnHandle.class::cast))));
    }

    @Override
    public long getRequestedDynamicFilterWaitTimeoutMillis()
    {
        return dynamicFilterWaitMillis;
    }

    @Override
    public Metrics getMetrics()
    {
        if (selectedRowGroups == 0 && prunedRowGroups == 0) {
            // if no row can match, manifests are not read and the number of row groups is unknown
            return Metrics.EMPTY;
        }
        ImmutableMap.Builder<String, Metric<?>> metrics = ImmutableMap.builder();
        metrics.put("Albis manifests selected", new LongCount(selectedManifests));
        metrics.put("Albis manifests pruned", new LongCount(prunedManifests));
        metrics.put("Albis row groups selected", new LongCount(selectedRowGroups));
        metrics.put("Albis row groups pruned", new LongCount(prunedRowGroups));
        if (hostLookup.isPresent()) {
            metrics.put("Albis row groups located", new LongCount(locatedRowGroups));
        }
        return new Metrics(metrics.buildOrThrow());
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
