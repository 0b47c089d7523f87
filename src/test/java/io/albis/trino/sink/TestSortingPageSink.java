package io.albis.trino.sink;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.format.FaultyFileSystem;
import io.albis.format.FaultyFileSystem.Fault;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.RowGroupSchema;
import io.albis.trino.sort.RowSorter;
import io.albis.trino.sort.SpilledSequences;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.operator.PagesIndex;
import io.trino.operator.PagesIndexPageSorter;
import io.trino.spi.Page;
import io.trino.spi.PageSorter;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.connector.ConnectorPageSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import static io.trino.spi.connector.SortOrder.DESC_NULLS_LAST;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

class TestSortingPageSink
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final PageSorter SORTER = new PagesIndexPageSorter(new PagesIndex.TestingFactory(false));
    private static final AlbisColumn COLUMN = AlbisColumn.make(1, "c", BIGINT);
    private static final RowGroupSchema SCHEMA = new RowGroupSchema(ImmutableList.of(COLUMN), ImmutableList.of(AlbisColumnGroup.make(COLUMN)));

    private final TrinoFileSystem storage = new MemoryFileSystem();
    private final List<Long> written = new ArrayList<>();
    private boolean aborted;

    @Test
    void testOneSequence()
            throws Exception
    {
        SortingPageSink sink = sink(1 << 20);
        assertThat(sink.getMemoryUsage()).isEqualTo(7);
        sink.appendPage(page(3, 1, 2));
        sink.appendPage(page(5, 0));
        assertThat(written).isEmpty();
        assertThat(sink.getMemoryUsage()).isBetween(50L, 1000L);
        assertThat(sink.finish().get()).isEmpty();
        assertThat(written).containsExactly(5L, 3L, 2L, 1L, 0L);
        assertThat(sink.getMemoryUsage()).isEqualTo(7);
    }

    /**
     * Rows that fit into the memory need no file.
     */
    @Test
    void testFewRowsNeedNoStorage()
            throws Exception
    {
        FaultyFileSystem faulty = new FaultyFileSystem(storage, Fault.CHECKED, 0);
        SortingPageSink sink = sink(faulty, 1 << 20);
        sink.appendPage(page(3, 1, 2));
        sink.finish().get();
        assertThat(written).containsExactly(3L, 2L, 1L);
        assertThat(faulty.hasFailed()).isFalse();
    }

    @Test
    void testSeveralSequences()
            throws Exception
    {
        SortingPageSink sink = sink(1);
        sink.appendPage(page(1, 5));
        assertThat(files()).hasSize(2);
        // the merge will need memory
        assertThat(sink.getMemoryUsage()).isBetween(50_000L, 150_000L);
        sink.appendPage(page(3, 4, 6));
        sink.appendPage(page(2));
        assertThat(files()).hasSize(6);
        assertThat(written).isEmpty();
        assertThat(sink.finish().get()).isEmpty();
        assertThat(written).containsExactly(6L, 5L, 4L, 3L, 2L, 1L);
        assertThat(files()).isEmpty();
        assertThat(sink.getMemoryUsage()).isEqualTo(7);
    }

    /**
     * More sequences than can be merged at once.
     */
    @Test
    void testManySequences()
            throws Exception
    {
        SortingPageSink sink = sink(1);
        for (int i = 0; i < 60; i++) {
            sink.appendPage(page(i * 7919 % 1000, i * 17 % 1000));
        }
        sink.appendPage(page(LongStream.range(0, 300_000).toArray()));
        long maxMemory = 0;
        long steps = 0;
        while (sink.advance()) {
            maxMemory = Math.max(maxMemory, sink.getMemoryUsage());
            steps++;
        }
        // no step merges everything
        assertThat(steps).isGreaterThan(30);
        // less than the 300,000 rows need
        assertThat(maxMemory).isBetween(1000L, 2_000_000L);
        sink.finish().get();
        assertThat(written).hasSize(300_120).isSortedAccordingTo((left, right) -> Long.compare(right, left));
        assertThat(written.stream().mapToLong(value -> value).sum()).isEqualTo(LongStream.range(0, 60).map(i -> i * 7919 % 1000 + i * 17 % 1000).sum() + 300_000L * 299_999 / 2);
        assertThat(files()).isEmpty();
    }

    @Test
    void testWithoutRows()
            throws Exception
    {
        assertThat(sink(100).finish().get()).isEmpty();
        assertThat(written).isEmpty();
    }

    /**
     * A page of a few rows can retain a large block.
     */
    @Test
    void testLargeBlocks()
            throws Exception
    {
        SortingPageSink sink = sink(100_000);
        Block large = new LongArrayBlock(10_000, Optional.empty(), new long[10_000]);
        for (int i = 0; i < 100; i++) {
            sink.appendPage(new Page(large.getRegion(i, 2)));
            sink.appendPage(new Page(RunLengthEncodedBlock.create(large.getSingleValueBlock(i), 3)));
        }
        assertThat(sink.getMemoryUsage()).isBetween(1000L, 50_000L);
        assertThat(written).isEmpty();
        sink.finish().get();
        assertThat(written).hasSize(500).containsOnly(0L);
    }

    @Test
    void testAbort()
            throws IOException
    {
        SortingPageSink sink = sink(1 << 20);
        sink.appendPage(page(1));
        sink.abort();
        assertThat(written).isEmpty();
        assertThat(aborted).isTrue();
        assertThat(sink.getMemoryUsage()).isEqualTo(7);
        assertThat(files()).isEmpty();
    }

    /**
     * The files are removed no matter how far the merge has come.
     */
    @Test
    void testAbortWhileMerging()
            throws IOException
    {
        int steps = 0;
        boolean more = true;
        while (more) {
            FaultyFileSystem counting = new FaultyFileSystem(storage, Fault.CHECKED, Long.MAX_VALUE);
            SortingPageSink sink = sink(counting, 1);
            appendSequences(sink);
            assertThat(files()).hasSize(28);
            for (int step = 0; more && step < steps; step++) {
                more = sink.advance();
            }
            sink.abort();
            assertThat(files()).as("after %s steps", steps).isEmpty();
            assertThat(counting.open()).as("open files after %s steps", steps).isZero();
            assertThat(sink.getMemoryUsage()).isEqualTo(7);
            steps++;
        }
        // the first sequences are merged into one before the others
        assertThat(steps).isGreaterThan(3);
    }

    /**
     * A failure of any operation of the storage, or of a removal, leaves no open file, and no file but that of the
     * removal.
     */
    @ParameterizedTest
    @EnumSource(value = Fault.class, names = {"CHECKED", "UNCHECKED"})
    void testEveryOperation(Fault fault)
            throws IOException
    {
        int failures = 0;
        for (int operations = 0; ; operations++) {
            written.clear();
            aborted = false;
            FaultyFileSystem faulty = new FaultyFileSystem(storage, fault, operations);
            SortingPageSink sink = sink(faulty, 1);
            Throwable failure = catchThrowable(() -> {
                appendSequences(sink);
                sink.finish();
            });
            if (!faulty.hasFailed()) {
                break;
            }
            if (failure == null) {
                // a removal has failed
                assertThat(faulty.open()).as("open files after operation %s fails", operations).isZero();
                assertThat(written).hasSize(28);
                assertThat(files()).as("files after operation %s", operations).hasSize(2);
                storage.deleteDirectory(FOLDER);
                continue;
            }
            failures++;
            if (fault == Fault.CHECKED) {
                assertThat(failure).isInstanceOf(TrinoException.class).hasStackTraceContaining("injected");
            }
            sink.abort();
            assertThat(aborted).isTrue();
            assertThat(faulty.open()).as("open files after operation %s fails", operations).isZero();
            assertThat(files()).as("files after operation %s fails with %s", operations, failure).isEmpty();
        }
        assertThat(failures).isGreaterThan(100);
        assertThat(written).hasSize(28).isSortedAccordingTo((left, right) -> Long.compare(right, left));
    }

    /**
     * The engine interrupts the thread of a canceled query.
     */
    @Test
    void testInterruption()
            throws IOException
    {
        SortingPageSink sink = sink(1);
        appendSequences(sink);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(sink::finish).hasStackTraceContaining("interrupted while rows were merged");
        }
        finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(written).hasSizeLessThan(28);
        sink.abort();
        assertThat(files()).isEmpty();
    }

    private static void appendSequences(SortingPageSink sink)
    {
        for (int i = 0; i < 14; i++) {
            sink.appendPage(page(i * 7919 % 1000, i * 17 % 1000));
        }
    }

    private SortingPageSink sink(long maxBytes)
    {
        return sink(storage, maxBytes);
    }

    private SortingPageSink sink(TrinoFileSystem fileSystem, long maxBytes)
    {
        ConnectorPageSink target = new ConnectorPageSink()
        {
            @Override
            public CompletableFuture<?> appendPage(Page page)
            {
                for (int position = 0; position < page.getPositionCount(); position++) {
                    written.add(BIGINT.getLong(page.getBlock(0), position));
                }
                return NOT_BLOCKED;
            }

            @Override
            public CompletableFuture<Collection<Slice>> finish()
            {
                return completedFuture(ImmutableList.of());
            }

            @Override
            public void abort()
            {
                aborted = true;
            }

            @Override
            public long getMemoryUsage()
            {
                return 7;
            }
        };
        RowSorter sorter = new RowSorter(SORTER, List.of(BIGINT), List.of(0), List.of(DESC_NULLS_LAST));
        return new SortingPageSink(target, sorter, new SpilledSequences(fileSystem, FOLDER, SCHEMA, UUID::randomUUID, sorter, maxBytes), maxBytes);
    }

    private List<Location> files()
    {
        List<Location> files = new ArrayList<>();
        try {
            FileIterator iterator = storage.listFiles(FOLDER);
            while (iterator.hasNext()) {
                files.add(iterator.next().location());
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    private static Page page(long... values)
    {
        return new Page(new LongArrayBlock(values.length, Optional.empty(), values));
    }
}
