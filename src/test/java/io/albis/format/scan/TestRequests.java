package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.AlbisSchema;
import io.albis.format.ReadHookFileSystem;
import io.albis.format.ReadHookFileSystem.Read;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileFrame;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.RowGroup;
import io.albis.format.request.ChunkReader;
import io.albis.format.run.Chunk;
import io.albis.format.run.Run;
import io.albis.format.run.Segment;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static com.google.common.collect.Sets.newConcurrentHashSet;
import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Arrays.stream;
import static java.util.Collections.synchronizedList;
import static java.util.concurrent.Executors.newFixedThreadPool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Counts the requests that a reader makes and the bytes that it requests.
 */
final class TestRequests
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final int ROWS = 200_000;
    private static final int SEGMENT_ROWS = 4 * Run.MAX_ROWS;
    // A text of five letters takes nine bytes of memory
    private static final WriterOptions OPTIONS = WriterOptions.DEFAULTS.withRowGroupBytes(1L << 40).withSegmentBytes(9 * SEGMENT_ROWS);

    private static final AlbisColumn ID = AlbisColumn.make(1, "id", BIGINT);
    private static final AlbisColumn SCATTERED = AlbisColumn.make(2, "scattered", BIGINT);
    private static final AlbisColumn TEXT = AlbisColumn.make(3, "text", VARCHAR);
    private static final AlbisColumn WORD = AlbisColumn.make(4, "word", VARCHAR);
    private static final AlbisColumn WIDE = AlbisColumn.make(5, "wide", BIGINT);
    private static final List<AlbisColumn> COLUMNS = ImmutableList.of(ID, SCATTERED, TEXT, WORD, WIDE);

    private final List<Read> reads = synchronizedList(new ArrayList<>());
    private final Set<Thread> threads = newConcurrentHashSet();
    private final AtomicInteger open = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private final TrinoFileSystem storage = new MemoryFileSystemFactory().create(ofUser("test"));
    private final TrinoFileSystem fileSystem = new ReadHookFileSystem(storage, new ReadHookFileSystem.Hook()
    {
        @Override
        public void read(Read read)
                throws IOException
        {
            reads.add(read);
            threads.add(Thread.currentThread());
            try {
                gate.await();
            }
            catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        @Override
        public void opened()
        {
            open.incrementAndGet();
        }

        @Override
        public void closed()
        {
            open.decrementAndGet();
        }
    });
    // The number of channels of the last opened reader
    private int channels;
    private final ThreadPoolExecutor executor = (ThreadPoolExecutor) newFixedThreadPool(3);

    @AfterEach
    void nothingIsLeft()
            throws InterruptedException
    {
        gate.countDown();
        executor.shutdown();
        assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(open).hasValue(0);
    }

    /**
     * A way to access storage, and a grouping of the columns.
     */
    record Variant(StorageAccess access, boolean together) {}

    static List<Variant> variants()
    {
        ImmutableList.Builder<Variant> variants = ImmutableList.builder();
        for (boolean together : new boolean[] {true, false}) {
            variants.add(new Variant(StorageAccess.LOCAL, together));
            StorageAccess exact = new StorageAccess(0, 1 << 20, 1 << 24, false);
            variants.add(new Variant(exact, together));
            variants.add(new Variant(exact.ahead(1 << 24), together));
            // Too little memory for all data that a segment needs
            variants.add(new Variant(exact.ahead(1 << 17), together));
        }
        return variants.build();
    }

    @ParameterizedTest
    @MethodSource("variants")
    void testProjection(Variant variant)
            throws Exception
    {
        RowGroup rowGroup = write(variant.together());
        for (AlbisColumn column : COLUMNS) {
            ScanHistory history = new ScanHistory(1);
            for (int i = 0; i < 2; i++) {
                assertThat(readAll(open(rowGroup, variant.access(), history, TupleDomain.all(), column))).isEqualTo(ROWS);
                assertThat(takeDataBytes()).isEqualTo(bytes(rowGroup, column));
            }
        }
        ScanHistory history = new ScanHistory(COLUMNS.size());
        for (int i = 0; i < 2; i++) {
            readAll(open(rowGroup, variant.access(), history, TupleDomain.all(), COLUMNS.toArray(AlbisColumn[]::new)));
            assertThat(takeDataBytes()).isEqualTo(rowGroup.columnGroups().stream().mapToLong(instance -> instance.dataBytes() - Segment.END_SLACK).sum());
        }
    }

    @ParameterizedTest
    @MethodSource("variants")
    void testFilterThatHitsOneSegment(Variant variant)
            throws Exception
    {
        RowGroup rowGroup = write(variant.together());
        int row = 2 * SEGMENT_ROWS + Run.MAX_ROWS + 5;
        ScanHistory history = new ScanHistory(3);
        for (int i = 0; i < 2; i++) {
            assertThat(readAll(open(rowGroup, variant.access(), history, between(ID, row, row + 9), ID, WORD, WIDE))).isEqualTo(10);
            assertThat(takeDataBytes()).isEqualTo(bytes(rowGroup, ID, 2, 1 << 1) + bytes(rowGroup, WORD, 2, 1 << 1) + bytes(rowGroup, WIDE, 2, 1 << 1));
        }
    }

    @ParameterizedTest
    @MethodSource("variants")
    void testColumnThatNobodyNeeds(Variant variant)
            throws Exception
    {
        RowGroup rowGroup = write(variant.together());
        ScanHistory history = new ScanHistory(3);
        for (int i = 0; i < 2; i++) {
            // The last column is never requested
            assertThat(read(open(rowGroup, variant.access(), history, TupleDomain.all(), TEXT, ID, WIDE), 2)).isEqualTo(ROWS);
            assertThat(takeDataBytes()).isEqualTo(bytes(rowGroup, TEXT) + bytes(rowGroup, ID));
        }
        // No row is left, although the bounds do not exclude all rows
        assertThat(readAll(open(rowGroup, variant.access(), history, between(SCATTERED, ROWS + 1, ROWS + 1), TEXT, ID, WIDE))).isZero();
        assertThat(takeDataBytes()).isEqualTo(bytes(rowGroup, SCATTERED));
    }

    @ParameterizedTest
    @MethodSource("variants")
    void testColumnThatFewRowsNeed(Variant variant)
            throws Exception
    {
        RowGroup rowGroup = write(variant.together());
        // The first and the last run of a segment, and one run of another segment
        int[] found = {SEGMENT_ROWS + 7, 2 * SEGMENT_ROWS - 7, 3 * SEGMENT_ROWS + 2 * Run.MAX_ROWS + 1};
        TupleDomain<AlbisColumn> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(
                SCATTERED, Domain.multipleValues(BIGINT, stream(found).mapToObj(TestRequests::scatter).toList())));
        ScanHistory history = new ScanHistory(4);
        for (int i = 0; i < 2; i++) {
            assertThat(readAll(open(rowGroup, variant.access(), history, predicate, WIDE, WORD, TEXT, SCATTERED))).isEqualTo(found.length);
            long expected = bytes(rowGroup, SCATTERED);
            for (AlbisColumn column : List.of(WIDE, WORD, TEXT)) {
                expected += bytes(rowGroup, column, 1, 1 << 0 | 1 << 3) + bytes(rowGroup, column, 3, 1 << 2);
            }
            assertThat(takeDataBytes()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("variants")
    void testDynamicPredicateThatExcludesAll(Variant variant)
            throws Exception
    {
        RowGroup rowGroup = write(variant.together());
        ScanHistory history = new ScanHistory(1);
        readAll(open(rowGroup, variant.access(), history, TupleDomain.all(), ID));
        takeDataBytes();
        RowGroupScan scan = new RowGroupScan(ImmutableList.of(ID), TupleDomain.all(), () -> between(ID, ROWS, ROWS + 5), SegmentShare.ALL);
        assertThat(readAll(open(rowGroup, variant.access(), history, scan))).isZero();
        assertThat(takeDataBytes()).isZero();
    }

    @ParameterizedTest
    @MethodSource("variants")
    void testDynamicPredicateThatArrivesWithinASegment(Variant variant)
            throws Exception
    {
        RowGroup rowGroup = write(variant.together());
        TupleDomain<AlbisColumn> predicate = between(SCATTERED, 0, ROWS);
        TupleDomain<AlbisColumn> dynamicPredicate = between(SCATTERED, ROWS / 2, 2 * ROWS);
        // The reader evaluates the dynamic predicate once before the scan, and once for each segment and run
        for (int late = 0; late < 12; late++) {
            int asked = late;
            AtomicInteger count = new AtomicInteger();
            RowGroupScan scan = new RowGroupScan(
                    ImmutableList.of(ID),
                    predicate,
                    () -> count.getAndIncrement() < asked ? TupleDomain.all() : dynamicPredicate,
                    SegmentShare.ALL);
            assertThat(readAll(open(rowGroup, variant.access(), new ScanHistory(1), scan))).isBetween(ROWS / 4L, ROWS / 2L);
            // No byte is requested twice
            assertThat(takeDataBytes()).isEqualTo(bytes(rowGroup, SCATTERED) + bytes(rowGroup, ID));
        }
    }

    @ParameterizedTest
    @MethodSource("variants")
    void testShares(Variant variant)
            throws Exception
    {
        RowGroup rowGroup = write(variant.together());
        ScanHistory history = new ScanHistory(COLUMNS.size());
        for (int i = 0; i < 2; i++) {
            for (int share = 0; share < 3; share++) {
                readAll(open(rowGroup, variant.access(), history, new RowGroupScan(COLUMNS, TupleDomain.all(), TupleDomain::all, new SegmentShare(share, 3))));
            }
            assertThat(takeDataBytes()).isEqualTo(rowGroup.columnGroups().stream().mapToLong(instance -> instance.dataBytes() - Segment.END_SLACK).sum());
        }
    }

    @Test
    void testNeighboursBecomeOneRequest()
            throws Exception
    {
        List<AlbisColumn> columns = new ArrayList<>();
        for (int id = 1; id <= 20; id++) {
            columns.add(AlbisColumn.make(id, "column_" + id, BIGINT));
        }
        Random random = new Random(1);
        RowGroup rowGroup = write(columns, ImmutableList.of(columns), Run.MAX_ROWS, (_, _) -> (long) random.nextInt(256));
        AlbisColumn[] projection = columns.toArray(AlbisColumn[]::new);
        ScanHistory history = new ScanHistory(columns.size());
        // One request of 8 kB for each column
        readAll(open(rowGroup, StorageAccess.LOCAL, history, TupleDomain.all(), projection));
        assertThat(takeData()).hasSize(20);
        // One request for eight columns
        readAll(open(rowGroup, StorageAccess.LOCAL, history, TupleDomain.all(), projection));
        assertThat(takeData()).hasSize(3);
        for (StorageAccess access : List.of(StorageAccess.REMOTE, StorageAccess.REMOTE.ahead(1 << 20))) {
            readAll(open(rowGroup, access, history, TupleDomain.all(), projection));
            assertThat(takeData()).hasSize(1);
        }

        // A small gap between two columns is read along with them
        ScanHistory two = new ScanHistory(2);
        two.asked(0);
        two.asked(1);
        for (boolean near : new boolean[] {true, false}) {
            int gap = 18 * Run.MAX_ROWS - (near ? 0 : 1);
            for (StorageAccess access : List.of(new StorageAccess(gap, 1 << 20, 1 << 20, false), new StorageAccess(gap, 1 << 20, 1 << 20, true))) {
                readAll(open(rowGroup, access, two, TupleDomain.all(), columns.getLast(), columns.getFirst()));
                assertThat(takeData()).hasSize(near ? 1 : 2);
            }
        }
    }

    @Test
    void testSegmentsBecomeOneRequest()
            throws Exception
    {
        RowGroup rowGroup = write(false);
        ScanHistory history = new ScanHistory(2);
        StorageAccess access = StorageAccess.REMOTE.ahead(1 << 24);
        readAll(open(rowGroup, access, history, TupleDomain.all(), ID, WIDE));
        reads.clear();
        readAll(open(rowGroup, access, history, TupleDomain.all(), ID, WIDE));
        assertThat(takeData()).hasSize(2);
    }

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

    @Test
    void testFailure()
            throws Exception
    {
        for (boolean together : new boolean[] {true, false}) {
            RowGroup rowGroup = write(together);
            for (ColumnGroupInstance instance : rowGroup.columnGroups()) {
                Location file = rowGroup.dataFile(FOLDER, instance);
                byte[] bytes = storage.newInputFile(file).newInput().readFully(0, (int) instance.dataBytes()).getBytes();
                for (int i = 0; i < 3; i++) {
                    storage.deleteFile(file);
                    byte[] damaged = switch (i) {
                        case 0 -> Arrays.copyOf(bytes, bytes.length * 3 / 4);
                        case 1 -> flip(bytes, bytes.length / 2);
                        default -> flip(bytes, 0);
                    };
                    storage.newOutputFile(file).createOrOverwrite(damaged);
                    StorageAccess access = new StorageAccess(1 << 12, 1 << 20, 1 << 22, false);
                    Throwable expected = failure(rowGroup, access);
                    assertThat(expected).isInstanceOf(AlbisDataException.class).hasMessageContainingAll(file.toString(), "column group " + instance.id(), "segment ");
                    assertThat(failure(rowGroup, access.ahead(1 << 22))).isInstanceOf(AlbisDataException.class).hasMessage(expected.getMessage());
                }
                storage.deleteFile(file);
                String missing = failure(rowGroup, StorageAccess.REMOTE).getMessage();
                assertThat(missing).contains(file.toString(), "is missing");
                assertThat(failure(rowGroup, StorageAccess.REMOTE.ahead(1 << 22))).hasMessage(missing);
                storage.newOutputFile(file).createOrOverwrite(bytes);
            }
        }
    }

    /**
     * After a failure the position of the reader is unknown, so continuing could skip rows.
     */
    @Test
    void testNothingComesAfterAFailure()
            throws Exception
    {
        RowGroup rowGroup = write(true);
        for (int failing = 0; failing < 12; failing++) {
            AtomicInteger requests = new AtomicInteger(failing);
            TrinoFileSystem unreliable = new ReadHookFileSystem(storage, _ -> {
                if (requests.getAndDecrement() == 0) {
                    throw new IOException("once");
                }
            });
            RowGroupScan scan = RowGroupScan.of(ImmutableList.of(ID), between(SCATTERED, 0, ROWS));
            long rows = 0;
            try (RowGroupReader reader = RowGroupReader.open(unreliable, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS, new ReaderResources(metadata(rowGroup), StorageAccess.LOCAL, executor, new ScanHistory(1)))) {
                for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                    rows += batch.positionCount();
                    AlbisBatch current = batch;
                    if (catchThrowable(() -> current.block(0)) != null) {
                        // A block may be requested again
                        assertThat(current.block(0).getPositionCount()).isEqualTo(current.positionCount());
                    }
                }
                assertThat(rows).isEqualTo(ROWS / 2 + 1);
            }
            catch (IOException e) {
                assertThat(e).hasMessageContaining("once");
            }
        }
        AtomicInteger requests = new AtomicInteger(2);
        TrinoFileSystem unreliable = new ReadHookFileSystem(storage, _ -> {
            if (requests.getAndDecrement() == 0) {
                throw new IOException("once");
            }
        });
        try (RowGroupReader reader = RowGroupReader.open(unreliable, FOLDER, rowGroup, RowGroupScan.of(ImmutableList.of(), between(SCATTERED, 0, ROWS)), ReaderOptions.DEFAULTS, new ReaderResources(metadata(rowGroup), StorageAccess.LOCAL, executor, new ScanHistory(0)))) {
            assertThat(catchThrowable(() -> read(reader, 0))).hasMessageContaining("once");
            assertThat(catchThrowable(reader::next)).isInstanceOf(IllegalStateException.class);
            assertThat(catchThrowable(reader::prepare)).isInstanceOf(IllegalStateException.class);
        }
    }

    private Throwable failure(RowGroup rowGroup, StorageAccess access)
    {
        ScanHistory history = new ScanHistory(COLUMNS.size());
        for (int channel = 0; channel < COLUMNS.size(); channel++) {
            history.asked(channel);
        }
        return catchThrowable(() -> readAll(open(rowGroup, access, history, RowGroupScan.of(COLUMNS, TupleDomain.all()))));
    }

    private static byte[] flip(byte[] bytes, int index)
    {
        byte[] flipped = bytes.clone();
        flipped[index] ^= 1;
        return flipped;
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

    @Test
    void testMemoryIsBounded()
            throws Exception
    {
        RowGroup rowGroup = write(false);
        ScanHistory history = new ScanHistory(COLUMNS.size());
        for (int bound : new int[] {1 << 17, 1 << 19, 1 << 21}) {
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

    private static TupleDomain<AlbisColumn> between(AlbisColumn column, long low, long high)
    {
        return TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.create(ValueSet.ofRanges(Range.range(BIGINT, low, true, high, true)), false)));
    }

    private RowGroupReader open(RowGroup rowGroup, StorageAccess access, ScanHistory history, TupleDomain<AlbisColumn> predicate, AlbisColumn... columns)
            throws IOException
    {
        return open(rowGroup, access, history, RowGroupScan.of(List.of(columns), predicate));
    }

    private RowGroupReader open(RowGroup rowGroup, StorageAccess access, ScanHistory history, MetadataSource metadata, TupleDomain<AlbisColumn> predicate, AlbisColumn... columns)
            throws IOException
    {
        return open(rowGroup, access, history, metadata, RowGroupScan.of(List.of(columns), predicate));
    }

    private RowGroupReader open(RowGroup rowGroup, StorageAccess access, ScanHistory history, RowGroupScan scan)
            throws IOException
    {
        return open(rowGroup, access, history, MetadataSource.FILES, scan);
    }

    private RowGroupReader open(RowGroup rowGroup, StorageAccess access, ScanHistory history, MetadataSource metadata, RowGroupScan scan)
            throws IOException
    {
        channels = scan.columns().size();
        return RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS, new ReaderResources(metadata, access, executor, history));
    }

    private long readAll(RowGroupReader reader)
            throws IOException
    {
        return read(reader, channels);
    }

    /**
     * @param channels the number of channels to read
     */
    private static long read(RowGroupReader reader, int channels)
            throws IOException
    {
        long rows = 0;
        try (reader) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                rows += batch.positionCount();
                for (int channel = 0; channel < channels; channel++) {
                    assertThat(batch.block(channel).getPositionCount()).isEqualTo(batch.positionCount());
                }
            }
        }
        return rows;
    }

    private long takeDataBytes()
            throws InterruptedException
    {
        return takeData().stream().mapToLong(Read::length).sum();
    }

    /**
     * Returns the requests for data since the last call, and asserts that no byte was requested twice.
     */
    private List<Read> takeData()
            throws InterruptedException
    {
        finish();
        List<Read> data = reads.stream().filter(read -> !read.isMetadata()).toList();
        reads.clear();
        List<Read> sorted = new ArrayList<>(data);
        sorted.sort(Comparator.comparing((Read read) -> read.location().toString()).thenComparing(Read::position));
        for (int i = 1; i < sorted.size(); i++) {
            Read last = sorted.get(i - 1);
            Read next = sorted.get(i);
            assertThat(last.location().equals(next.location()) && next.position() < last.end()).as("%s and %s", last, next).isFalse();
        }
        return data;
    }

    /**
     * Waits until no request is in flight.
     */
    private void finish()
            throws InterruptedException
    {
        while (executor.getActiveCount() > 0 || !executor.getQueue().isEmpty()) {
            Thread.sleep(1);
        }
    }

    private long bytes(RowGroup rowGroup, AlbisColumn column)
            throws IOException
    {
        long bytes = 0;
        for (int segment = 0; segment < metadata(rowGroup, column).segments(); segment++) {
            bytes += bytes(rowGroup, column, segment, ChunkReader.ALL_RUNS);
        }
        return bytes;
    }

    /**
     * Returns the number of bytes that a scan must read for some runs of a segment.
     */
    private long bytes(RowGroup rowGroup, AlbisColumn column, int segment, int runs)
            throws IOException
    {
        Chunk chunk = metadata(rowGroup, column).chunk(instance(rowGroup, column).columnIds().indexOf(column.id()), segment);
        long bytes = chunk.dictionaryLength();
        for (int run = 0; run < chunk.runs().size(); run++) {
            bytes += (runs & (1 << run)) == 0 ? 0 : chunk.runs().get(run).paddedLength();
        }
        boolean first = chunk.offset() == FileFrame.HEADER_SIZE && (chunk.dictionaryLength() > 0 || (runs & 1) != 0);
        return bytes + (first ? FileFrame.HEADER_SIZE : 0);
    }

    private MetadataSource metadata(RowGroup rowGroup)
            throws IOException
    {
        Map<Location, ColumnGroupMetadata> metadata = new HashMap<>();
        for (ColumnGroupInstance instance : rowGroup.columnGroups()) {
            metadata.put(rowGroup.metadataFile(FOLDER, instance), metadata(rowGroup, instance));
        }
        return (location, _, _) -> metadata.get(location);
    }

    private ColumnGroupMetadata metadata(RowGroup rowGroup, AlbisColumn column)
            throws IOException
    {
        return metadata(rowGroup, instance(rowGroup, column));
    }

    private ColumnGroupMetadata metadata(RowGroup rowGroup, ColumnGroupInstance instance)
            throws IOException
    {
        Location location = rowGroup.metadataFile(FOLDER, instance);
        return MetadataCodec.decode(location, Optional.of(instance.id()), storage.newInputFile(location).newInput().readFully(0, instance.metadataBytes()));
    }

    private static ColumnGroupInstance instance(RowGroup rowGroup, AlbisColumn column)
    {
        return rowGroup.columnGroups().stream()
                .filter(instance -> instance.columnIds().contains(column.id()))
                .findFirst().orElseThrow();
    }

    private RowGroup write(boolean together)
            throws IOException
    {
        List<List<AlbisColumn>> groups = together ? ImmutableList.of(COLUMNS) : COLUMNS.stream().map(ImmutableList::of).collect(toImmutableList());
        Random random = new Random(1);
        RowGroup rowGroup = write(COLUMNS, groups, ROWS, (column, row) -> switch (column.name()) {
            case "id" -> (long) row;
            case "scattered" -> scatter(row);
            case "text" -> utf8Slice("%05d".formatted(row % 100_000));
            case "word" -> utf8Slice("w" + row % 50);
            default -> random.nextLong();
        });
        ColumnGroupMetadata metadata = metadata(rowGroup, ID);
        assertThat(metadata.segments()).isEqualTo(7);
        assertThat(metadata.segmentRows()[0]).isEqualTo(SEGMENT_ROWS);
        assertThat(metadata(rowGroup, WORD).chunk(instance(rowGroup, WORD).columnIds().indexOf(WORD.id()), 0).dictionaryLength()).isPositive();
        return rowGroup;
    }

    /**
     * Returns the even numbers below 400,000 in random-looking order.
     */
    private static long scatter(int row)
    {
        return 2 * (row * 7919L % ROWS);
    }

    private interface Values
    {
        Object value(AlbisColumn column, int row);
    }

    private RowGroup write(List<AlbisColumn> columns, List<List<AlbisColumn>> groups, int rows, Values values)
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(columns, groups.stream().map(group -> AlbisColumnGroup.make(AlbisLayout.BLOCK, group)).collect(toImmutableList()));
        RollingRowGroupWriter writer = new RollingRowGroupWriter(storage, FOLDER, schema.rowGroupSchema(), OPTIONS);
        Block[] blocks = new Block[columns.size()];
        for (int channel = 0; channel < blocks.length; channel++) {
            AlbisColumn column = columns.get(channel);
            BlockBuilder builder = column.type().createBlockBuilder(null, rows);
            for (int row = 0; row < rows; row++) {
                writeNativeValue(column.type(), builder, values.value(column, row));
            }
            blocks[channel] = builder.build();
        }
        writer.append(new Page(blocks));
        return getOnlyElement(writer.finish());
    }
}
