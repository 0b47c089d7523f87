package io.albis.format.scan;

import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.RowGroup;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that other threads make before their data is needed.
 */
final class TestReadAheadRequests
        extends BaseRequestsTest
{
    /**
     * Once the needed data is known, the thread of the reader makes no requests itself, and its future completes when
     * the data is there.
     */
    @Test
    void testReadsAhead()
            throws Exception
    {
        RowGroup rowGroup = write(true);
        ScanHistory history = new ScanHistory(2);
        StorageAccess access = new StorageAccess(0, 1 << 20, 1 << 24, true);
        readAll(open(rowGroup, access, history, TupleDomain.all(), TEXT, WIDE));
        takeData();
        threads.clear();

        gate = new CountDownLatch(1);
        RowGroupReader reader = open(rowGroup, access, history, metadata(rowGroup), TupleDomain.all(), TEXT, WIDE);
        CompletableFuture<?> ready = reader.prepare();
        assertThat(ready).isNotDone();
        assertThat(reader.prepare()).isNotDone();
        assertThat(reader.memoryUsage()).isBetween(bytes(rowGroup, TEXT) + bytes(rowGroup, WIDE), 1L << 24);
        gate.countDown();
        ready.get();
        assertThat(reader.prepare()).isDone();
        assertThat(readAll(reader)).isEqualTo(ROWS);
        assertThat(threads).isNotEmpty().doesNotContain(Thread.currentThread());
        takeData();

        // The filter column of all segments first, then the columns of the selected rows
        threads.clear();
        gate = new CountDownLatch(1);
        reader = open(rowGroup, access, history, metadata(rowGroup), between(SCATTERED, 0, 80_000), TEXT, WIDE);
        ready = reader.prepare();
        assertThat(ready).isNotDone();
        // The filter also takes a few bytes
        assertThat(reader.memoryUsage()).isBetween(bytes(rowGroup, SCATTERED), bytes(rowGroup, SCATTERED) + 1000);
        gate.countDown();
        ready.get();
        assertThat(readAll(reader)).isEqualTo(40_001);
        assertThat(threads).isNotEmpty().doesNotContain(Thread.currentThread());
        takeData();
    }

    @Test
    void testCloseWhileOnTheWay()
            throws Exception
    {
        RowGroup rowGroup = write(false);
        ScanHistory history = new ScanHistory(COLUMNS.size());
        StorageAccess access = new StorageAccess(0, 1 << 16, 1 << 24, true);
        readAll(open(rowGroup, access, history, RowGroupScan.of(COLUMNS, TupleDomain.all())));
        int requests = takeData().size();

        gate = new CountDownLatch(1);
        RowGroupReader reader = open(rowGroup, access, history, metadata(rowGroup), RowGroupScan.of(COLUMNS, TupleDomain.all()));
        CompletableFuture<?> ready = reader.prepare();
        assertThat(ready).isNotDone();
        reader.close();
        // Requests that have not started are canceled, and the future completes when the others finish
        gate.countDown();
        ready.get();
        assertThat(reader.next()).isNull();
        finish();
        assertThat(takeData()).hasSizeLessThanOrEqualTo(executor.getMaximumPoolSize()).hasSizeLessThan(requests);
        assertThat(open).hasValue(0);
    }

    /**
     * Data that cannot be read ahead is read when it is needed.
     */
    @Test
    void testExecutorThatRefuses()
            throws Exception
    {
        RowGroup rowGroup = write(true);
        ScanHistory history = new ScanHistory(COLUMNS.size());
        executor.shutdown();
        for (int i = 0; i < 2; i++) {
            assertThat(readAll(open(rowGroup, StorageAccess.REMOTE.ahead(1 << 22), history, RowGroupScan.of(COLUMNS, TupleDomain.all())))).isEqualTo(ROWS);
            takeData();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 17, 1 << 19, 1 << 21})
    void testMemoryIsBounded(int bound)
            throws Exception
    {
        RowGroup rowGroup = write(false);
        ScanHistory history = new ScanHistory(COLUMNS.size());
        long most = 0;
        StorageAccess access = new StorageAccess(0, 1 << 16, bound, true);
        for (int i = 0; i < 2; i++) {
            try (RowGroupReader reader = open(rowGroup, access, history, RowGroupScan.of(COLUMNS, TupleDomain.all()))) {
                most = Math.max(most, reader.memoryUsage());
                for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                    for (int channel = 0; channel < COLUMNS.size(); channel++) {
                        batch.block(channel);
                        most = Math.max(most, reader.memoryUsage());
                    }
                }
            }
            takeData();
        }
        // In addition to the limit, one buffer for each column and the dictionary
        assertThat(most).isBetween(bound / 2L, bound + (COLUMNS.size() + 2L) * (1 << 16) + (1 << 16));
    }
}
