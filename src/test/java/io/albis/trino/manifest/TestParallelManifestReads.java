package io.albis.trino.manifest;

import io.airlift.units.DataSize;
import io.albis.format.metadata.RowGroup;
import io.albis.table.version.AlbisTable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import static io.airlift.units.DataSize.Unit.BYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.util.concurrent.Executors.newFixedThreadPool;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A query reads its manifests in parallel, and concurrent queries read each manifest once.
 */
final class TestParallelManifestReads
        extends BaseManifestCacheTest
{
    @Test
    void testReadInParallel()
            throws Exception
    {
        ManifestCache cache = new ManifestCache(DataSize.of(1, MEGABYTE), executor);
        createTable(5);
        // Four threads and the query's own thread: none continues until all have arrived
        CyclicBarrier all = new CyclicBarrier(5);
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        whenRead = () -> {
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            await(all);
            inFlight.decrementAndGet();
        };
        assertThat(load(cache, ALICE).rowGroups()).hasSize(5);
        assertThat(most).hasValue(5);
    }

    @Test
    void testThreadsAreBounded()
    {
        ManifestCache cache = new ManifestCache(DataSize.of(0, BYTE), executor);
        createTable(7);
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        whenRead = () -> {
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            Thread.yield();
            inFlight.decrementAndGet();
        };
        for (int i = 0; i < 50; i++) {
            assertThat(load(cache, ALICE).rowGroups()).hasSize(7);
        }
        assertThat(most.get()).isBetween(1, THREADS + 1);
    }

    @Test
    void testConcurrentQueriesShareReads()
            throws Exception
    {
        ManifestCache cache = new ManifestCache(DataSize.of(1, MEGABYTE), executor);
        createTable(1);
        int queries = 4;
        CountDownLatch started = new CountDownLatch(queries);
        whenRead = () -> await(started);
        try (ExecutorService executor = newFixedThreadPool(queries)) {
            List<Future<List<RowGroup>>> results = new ArrayList<>();
            for (int i = 0; i < queries; i++) {
                results.add(executor.submit(() -> {
                    AlbisTable table = load(cache, ALICE);
                    started.countDown();
                    return table.rowGroups();
                }));
            }
            for (Future<List<RowGroup>> result : results) {
                assertThat(result.get(1, MINUTES)).hasSize(1);
            }
        }
        assertThat(reads).hasValue(1);
    }

    private static void await(CyclicBarrier barrier)
    {
        try {
            barrier.await(1, MINUTES);
        }
        catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch)
    {
        try {
            assertThat(latch.await(1, MINUTES)).isTrue();
        }
        catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
