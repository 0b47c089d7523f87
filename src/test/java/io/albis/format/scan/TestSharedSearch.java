package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.io.Closer;
import io.albis.format.ReadHookFileSystem;
import io.albis.format.filter.TestedValues;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.RowGroup;
import io.albis.format.predicate.ColumnTest;
import io.albis.format.predicate.RowAlternatives;
import io.albis.format.run.SegmentShare;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.search.SharedSearch;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.concurrent.Executors.newFixedThreadPool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What the readers of a scan share of a search.
 */
final class TestSharedSearch
        extends BaseIndexSearchTest
{
    /**
     * The splits of a row group search an index once.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testShares(boolean ahead)
            throws Exception
    {
        RowGroup rowGroup = writeShortSegments(ALL_INDEXED);
        StorageAccess access = ahead ? StorageAccess.REMOTE.ahead(1 << 22) : StorageAccess.LOCAL;
        ReaderResources resources = new ReaderResources(MetadataSource.FILES, access, executor, new ScanHistory(1));
        TupleDomain<AlbisColumn> predicate = domain(KEY, Domain.multipleValues(BIGINT, ImmutableList.of(1L, 50_000L, 99_000L)));
        long rows = 0;
        try (RowGroupReader keeps = RowGroupReader.open(fileSystem, FOLDER, rowGroup, share(predicate, 0), ReaderOptions.DEFAULTS, resources)) {
            rows += countRows(keeps);
            for (int share = 1; share < 3; share++) {
                try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, share(predicate, share), ReaderOptions.DEFAULTS, resources)) {
                    rows += countRows(reader);
                    assertThat(reader.metrics().rowsExcluded()).isPositive();
                }
            }
        }
        assertThat(rows).isEqualTo(3);
        // asserts that nothing was read twice
        assertThat(takeData()).isNotEmpty();
    }

    /**
     * A reader that waits for the search of another one occupies no thread.
     */
    @Test
    void testWaitingReaders()
            throws Exception
    {
        RowGroup rowGroup = writeShortSegments(ALL_INDEXED);
        ReaderResources resources = new ReaderResources(metadata(rowGroup), StorageAccess.REMOTE.ahead(1 << 22), executor, new ScanHistory(1));
        TupleDomain<AlbisColumn> predicate = domain(KEY, Domain.multipleValues(BIGINT, ImmutableList.of(1L, 50_000L, 99_000L)));
        gate = new CountDownLatch(1);
        long rows = 0;
        try (Closer closer = Closer.create()) {
            List<RowGroupReader> readers = new ArrayList<>();
            for (int share = 0; share < 3; share++) {
                readers.add(closer.register(RowGroupReader.open(fileSystem, FOLDER, rowGroup, share(predicate, share), ReaderOptions.DEFAULTS, resources)));
            }
            assertThat(executor.getPoolSize()).isEqualTo(1);
            gate.countDown();
            for (RowGroupReader reader : readers) {
                rows += countRows(reader);
            }
        }
        assertThat(rows).isEqualTo(3);
    }

    /**
     * The search of a reader that is closed while it waits for a thread makes no request.
     */
    @Test
    void testClosedBeforeSearch()
            throws Exception
    {
        executor.setCorePoolSize(1);
        executor.setMaximumPoolSize(1);
        RowGroup rowGroup = write(ALL_INDEXED);
        gate = new CountDownLatch(1);
        try (RowGroupReader reader = openAhead(rowGroup)) {
            openAhead(rowGroup).close();
            assertThat(executor.getQueue()).hasSize(1);
            gate.countDown();
            assertThat(countRows(reader)).isEqualTo(1);
        }
        // asserts that nothing was read twice
        assertThat(takeData()).isNotEmpty();
        assertThat(checks).hasValue(0);
    }

    /**
     * A search makes no further request after its reader was closed.
     */
    @Test
    @Timeout(60)
    void testClosedDuringSearch()
            throws Exception
    {
        RowGroup rowGroup = write(ALL_INDEXED);
        gate = new CountDownLatch(1);
        RowGroupReader reader = openAhead(rowGroup);
        while (reads.isEmpty()) {
            Thread.sleep(1);
        }
        reader.close();
        gate.countDown();
        // the directory, but no values and no positions
        assertThat(takeData()).hasSize(1);
        assertThat(checks).hasValue(0);
    }

    /**
     * Opens a reader that searches in a thread of the executor, and shares nothing with other readers.
     */
    private RowGroupReader openAhead(RowGroup rowGroup)
            throws IOException
    {
        RowGroupScan scan = RowGroupScan.of(ImmutableList.of(), single(KEY, 5));
        ReaderResources resources = new ReaderResources(metadata(rowGroup), StorageAccess.REMOTE.ahead(1 << 22), executor, new ScanHistory(0));
        return RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS, resources);
    }

    /**
     * A function of the query can take any time. The engine ends it by interrupting its own threads, and those of the
     * executor read for all queries.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testFunctionsRunInThreadOfReader(boolean alternatives)
            throws Exception
    {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        TestedValues values = new TestedValues(BIGINT, _ -> {
            threads.add(Thread.currentThread());
            return false;
        });
        RowGroupScan scan = RowGroupScan.of(ImmutableList.of(SORTED), TupleDomain.all());
        ImmutableList<ColumnTest> tests = ImmutableList.of(new ColumnTest(TWENTY, values));
        scan = alternatives
                ? scan.withAlternatives(ImmutableList.of(new RowAlternatives(ImmutableList.of(new RowAlternatives.Branch(TupleDomain.all(), tests), new RowAlternatives.Branch(single(KEY, 5), ImmutableList.of())))))
                : scan.withTests(tests);
        RowGroup rowGroup = write(ALL_INDEXED);
        channels = 1;
        assertThat(readAll(open(rowGroup, StorageAccess.REMOTE.ahead(1 << 22), scan, true))).isEqualTo(alternatives ? 1 : 0);
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    /**
     * Readers in several threads share a search, although some of them are closed or fail meanwhile.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testConcurrentShares(boolean ahead)
            throws Exception
    {
        int count = 6;
        RowGroup rowGroup = writeShortSegments(ImmutableSet.of(KEY.id()));
        int[] segmentRows = metadata(rowGroup, KEY).segmentRows();
        StorageAccess access = ahead ? StorageAccess.REMOTE.ahead(1 << 22) : StorageAccess.LOCAL;
        ReaderResources resources = new ReaderResources(MetadataSource.FILES, access, executor, new ScanHistory(1));
        Domain keys = Domain.create(ValueSet.ofRanges(Range.range(BIGINT, 1000L, true, 1300L, false)), false);
        SharedSearch search = resources.searches().get(instance(rowGroup, KEY).id(), KEY.id(), resources.filters().get(keys), false);
        TrinoFileSystem failing = new ReadHookFileSystem(fileSystem, read -> {
            if (!read.isMetadata()) {
                throw new IOException("failed");
            }
        });
        CyclicBarrier start = new CyclicBarrier(count);
        ExecutorService pool = newFixedThreadPool(count);
        try {
            List<Future<?>> results = new ArrayList<>();
            for (int index = 0; index < count; index++) {
                SegmentShare share = new SegmentShare(index, count);
                RowGroupScan scan = new RowGroupScan(ImmutableList.of(SORTED), domain(KEY, keys), TupleDomain::all, share);
                int kind = index % 3;
                results.add(pool.submit(() -> {
                    start.await();
                    if (kind == 1) {
                        assertThat(catchThrowable(() -> read(RowGroupReader.open(failing, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS, resources), 1))).isInstanceOf(IOException.class);
                        return null;
                    }
                    RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS, resources);
                    if (kind == 2) {
                        try (reader) {
                            reader.prepare();
                        }
                        return null;
                    }
                    int first = IntStream.range(0, share.begin(segmentRows.length)).map(segment -> segmentRows[segment]).sum();
                    int end = IntStream.range(0, share.end(segmentRows.length)).map(segment -> segmentRows[segment]).sum();
                    long expected = IntStream.range(first, end).filter(row -> value(KEY, row) >= 1000 && value(KEY, row) < 1300).count();
                    assertThat(read(reader, 1)).isEqualTo(expected).isPositive();
                    assertThat(reader.metrics().rowsExcluded()).isEqualTo(end - first - expected);
                    return null;
                }));
            }
            for (Future<?> result : results) {
                result.get();
            }
        }
        finally {
            pool.shutdownNow();
        }
        finish();
        // no reader counts the memory any more
        assertThat(search.claim(this)).isPositive();
    }

    /**
     * After their positions have been read, the values that a search has found take no memory.
     */
    @Test
    void testMemory()
            throws IOException
    {
        int found = 3000;
        TupleDomain<AlbisColumn> predicate = domain(KEY, Domain.create(ValueSet.ofRanges(Range.lessThan(BIGINT, (long) found)), false));
        try (RowGroupReader reader = open(write(ALL_INDEXED), StorageAccess.LOCAL, RowGroupScan.of(ImmutableList.of(SORTED), predicate), true)) {
            assertThat(reader.memoryUsage()).isBetween(2L * found, 3L * Integer.BYTES * found);
            assertThat(countRows(reader)).isEqualTo(found);
            assertThat(reader.metrics().rowsExcluded()).isEqualTo(ROWS - found);
        }
    }

    /**
     * A search in another thread counts while it reads.
     */
    @Test
    @Timeout(60)
    void testMemoryOfRunningSearch()
            throws Exception
    {
        RowGroup rowGroup = write(ALL_INDEXED);
        ReaderResources resources = new ReaderResources(metadata(rowGroup), StorageAccess.REMOTE.ahead(1 << 22), executor, new ScanHistory(1));
        RowGroupScan scan = RowGroupScan.of(ImmutableList.of(SORTED), single(KEY, 5));
        gate = new CountDownLatch(1);
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS, resources)) {
            while (reads.isEmpty()) {
                Thread.sleep(1);
            }
            // of the pages that contain the directory, the search uses more than half
            assertThat(reader.memoryUsage()).isGreaterThan(reads.getFirst().length() / 2);
            gate.countDown();
            assertThat(countRows(reader)).isEqualTo(1);
        }
    }

    /**
     * A reader still counts what a filter that an index has replaced shares with other readers.
     */
    @Test
    void testMemoryOfReplacedFilter()
            throws IOException
    {
        TestedValues values = new TestedValues(BIGINT, _ -> false);
        RowGroupScan scan = RowGroupScan.of(ImmutableList.of(SORTED), TupleDomain.all()).withTests(ImmutableList.of(new ColumnTest(TWENTY, values)));
        try (RowGroupReader reader = open(write(ALL_INDEXED), StorageAccess.LOCAL, scan, true)) {
            assertThat(reader.next()).isNull();
            assertThat(reader.metrics().rowsExcluded()).isEqualTo(ROWS);
            assertThat(values.claim(this)).isZero();
        }
        assertThat(values.claim(this)).isPositive();
    }

    private static RowGroupScan share(TupleDomain<AlbisColumn> predicate, int index)
    {
        return new RowGroupScan(ImmutableList.of(), predicate, TupleDomain::all, new SegmentShare(index, 3));
    }
}
