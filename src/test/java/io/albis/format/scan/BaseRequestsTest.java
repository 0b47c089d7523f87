package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.ReadHookFileSystem;
import io.albis.format.ReadHookFileSystem.Read;
import io.albis.format.io.FileFrame;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.RowGroup;
import io.albis.format.request.ChunkReader;
import io.albis.format.run.Chunk;
import io.albis.format.run.Run;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisLayout;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import org.junit.jupiter.api.AfterEach;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Sets.newConcurrentHashSet;
import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Collections.synchronizedList;
import static java.util.concurrent.Executors.newFixedThreadPool;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counts the requests that a reader makes and the bytes that it requests, for a row group of columns of several shapes.
 */
abstract class BaseRequestsTest
{
    static final Location FOLDER = RowGroupFixture.FOLDER;
    static final int ROWS = 200_000;
    static final int SEGMENT_ROWS = 4 * Run.MAX_ROWS;

    static final AlbisColumn ID = AlbisColumn.make(1, "id", BIGINT);
    static final AlbisColumn SCATTERED = AlbisColumn.make(2, "scattered", BIGINT);
    static final AlbisColumn TEXT = AlbisColumn.make(3, "text", VARCHAR);
    static final AlbisColumn WORD = AlbisColumn.make(4, "word", VARCHAR);
    static final AlbisColumn WIDE = AlbisColumn.make(5, "wide", BIGINT);
    static final List<AlbisColumn> COLUMNS = ImmutableList.of(ID, SCATTERED, TEXT, WORD, WIDE);

    final List<Read> reads = synchronizedList(new ArrayList<>());
    final Set<Thread> threads = newConcurrentHashSet();
    final AtomicInteger open = new AtomicInteger();
    // requests for the existence or the length of files
    final AtomicInteger checks = new AtomicInteger();
    volatile CountDownLatch gate = new CountDownLatch(0);
    final TrinoFileSystem storage = new MemoryFileSystemFactory().create(ofUser("test"));

    final TrinoFileSystem fileSystem = new ReadHookFileSystem(storage, new ReadHookFileSystem.Hook()
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
        public void checked()
        {
            checks.incrementAndGet();
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
    int channels;
    final ThreadPoolExecutor executor = (ThreadPoolExecutor) newFixedThreadPool(3);

    @AfterEach
    void nothingIsLeft()
            throws InterruptedException
    {
        gate.countDown();
        executor.shutdown();
        assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(open).hasValue(0);
    }

    static TupleDomain<AlbisColumn> between(AlbisColumn column, long low, long high)
    {
        return TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.create(ValueSet.ofRanges(Range.range(BIGINT, low, true, high, true)), false)));
    }

    RowGroupReader open(RowGroup rowGroup, StorageAccess access, ScanHistory history, TupleDomain<AlbisColumn> predicate, AlbisColumn... columns)
            throws IOException
    {
        return open(rowGroup, access, history, RowGroupScan.of(List.of(columns), predicate));
    }

    RowGroupReader open(RowGroup rowGroup, StorageAccess access, ScanHistory history, MetadataSource metadata, TupleDomain<AlbisColumn> predicate, AlbisColumn... columns)
            throws IOException
    {
        return open(rowGroup, access, history, metadata, RowGroupScan.of(List.of(columns), predicate));
    }

    RowGroupReader open(RowGroup rowGroup, StorageAccess access, ScanHistory history, RowGroupScan scan)
            throws IOException
    {
        return open(rowGroup, access, history, MetadataSource.FILES, scan);
    }

    RowGroupReader open(RowGroup rowGroup, StorageAccess access, ScanHistory history, MetadataSource metadata, RowGroupScan scan)
            throws IOException
    {
        channels = scan.columns().size();
        return RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS, new ReaderResources(metadata, access, executor, history));
    }

    long readAll(RowGroupReader reader)
            throws IOException
    {
        return read(reader, channels);
    }

    /**
     * @param channels the number of channels to read
     */
    static long read(RowGroupReader reader, int channels)
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

    long takeDataBytes()
            throws InterruptedException
    {
        return takeData().stream().mapToLong(Read::length).sum();
    }

    /**
     * Returns the requests for data since the last call, and asserts that no byte was requested twice.
     */
    List<Read> takeData()
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
    void finish()
            throws InterruptedException
    {
        while (executor.getActiveCount() > 0 || !executor.getQueue().isEmpty()) {
            Thread.sleep(1);
        }
    }

    long bytes(RowGroup rowGroup, AlbisColumn column)
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
    long bytes(RowGroup rowGroup, AlbisColumn column, int segment, int runs)
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

    MetadataSource metadata(RowGroup rowGroup)
            throws IOException
    {
        Map<Location, ColumnGroupMetadata> metadata = new HashMap<>();
        for (ColumnGroupInstance instance : rowGroup.columnGroups()) {
            metadata.put(rowGroup.metadataFile(FOLDER, instance), metadata(rowGroup, instance));
        }
        return (location, _, _) -> metadata.get(location);
    }

    ColumnGroupMetadata metadata(RowGroup rowGroup, AlbisColumn column)
            throws IOException
    {
        return metadata(rowGroup, instance(rowGroup, column));
    }

    ColumnGroupMetadata metadata(RowGroup rowGroup, ColumnGroupInstance instance)
            throws IOException
    {
        return RowGroupFixture.metadata(storage, rowGroup, instance);
    }

    static ColumnGroupInstance instance(RowGroup rowGroup, AlbisColumn column)
    {
        return rowGroup.columnGroups().stream()
                .filter(instance -> instance.columnIds().contains(column.id()))
                .findFirst().orElseThrow();
    }

    RowGroup write(boolean together)
            throws IOException
    {
        List<List<AlbisColumn>> groups = together ? ImmutableList.of(COLUMNS) : COLUMNS.stream().map(ImmutableList::of).collect(toImmutableList());
        Random random = new Random(1);
        RowGroup rowGroup = write(groups, ROWS, (column, row) -> switch (column.name()) {
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
    static long scatter(int row)
    {
        return 2 * (row * 7919L % ROWS);
    }

    RowGroup write(List<List<AlbisColumn>> groups, int rows, RowGroupFixture.Values values)
            throws IOException
    {
        // A text of five letters takes nine bytes of memory
        return RowGroupFixture.write(storage, AlbisLayout.BLOCK, groups, 9 * SEGMENT_ROWS, rows, values);
    }
}
