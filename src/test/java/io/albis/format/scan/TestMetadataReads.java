package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import io.albis.format.ReadHookFileSystem;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisLayout;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.scan.RowGroupFixture.FOLDER;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.concurrent.Executors.newFixedThreadPool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The metadata of all column groups of a row group is requested concurrently if storage is slow.
 */
final class TestMetadataReads
{
    private static final int GROUPS = 12;
    private static final int THREADS = 7;
    private static final int ROWS = 1000;

    private final TrinoFileSystem storage = new MemoryFileSystemFactory().create(ofUser("test"));
    private final ExecutorService executor = newFixedThreadPool(THREADS);
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger mostInFlight = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();

    @AfterEach
    void nothingIsLeft()
            throws InterruptedException
    {
        executor.shutdown();
        assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(open).hasValue(0);
    }

    private abstract class CountingHook
            implements ReadHookFileSystem.Hook
    {
        @Override
        public void read(ReadHookFileSystem.Read read)
                throws IOException
        {
            if (!read.isMetadata()) {
                return;
            }
            int number = requests.getAndIncrement();
            mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            try {
                waitFor(number);
            }
            finally {
                inFlight.decrementAndGet();
            }
        }

        abstract void waitFor(int number)
                throws IOException;

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
    }

    @Test
    void testRequestsAtOnce()
            throws IOException
    {
        RowGroup rowGroup = write();
        // Storage responds only after this many concurrent requests
        int expected = THREADS + 1;
        CountDownLatch asked = new CountDownLatch(expected);
        TrinoFileSystem slow = new ReadHookFileSystem(storage, new CountingHook()
        {
            @Override
            void waitFor(int number)
                    throws IOException
            {
                asked.countDown();
                await(asked, 20);
            }
        });
        assertThat(read(slow, rowGroup, StorageAccess.REMOTE.ahead(1 << 24))).isEqualTo(ROWS);
        assertThat(mostInFlight).hasValue(expected);
        assertThat(requests).hasValue(GROUPS);
    }

    @Test
    void testOneAfterTheOtherWithoutReadingAhead()
            throws IOException
    {
        RowGroup rowGroup = write();
        TrinoFileSystem counting = new ReadHookFileSystem(storage, new CountingHook()
        {
            @Override
            void waitFor(int number) {}
        });
        assertThat(read(counting, rowGroup, StorageAccess.REMOTE)).isEqualTo(ROWS);
        assertThat(mostInFlight).hasValue(1);
        assertThat(requests).hasValue(GROUPS);
    }

    /**
     * All threads are busy with other work, so the thread of the reader makes all requests itself.
     */
    @Test
    void testBusyExecutor()
            throws IOException
    {
        RowGroup rowGroup = write();
        CountDownLatch busy = new CountDownLatch(1);
        for (int i = 0; i < THREADS; i++) {
            executor.execute(() -> {
                try {
                    busy.await();
                }
                catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        TrinoFileSystem counting = new ReadHookFileSystem(storage, new CountingHook()
        {
            @Override
            void waitFor(int number) {}
        });
        assertThat(read(counting, rowGroup, StorageAccess.REMOTE.ahead(1 << 24))).isEqualTo(ROWS);
        assertThat(requests).hasValue(GROUPS);
        busy.countDown();
    }

    @Test
    void testFailure()
            throws IOException
    {
        RowGroup rowGroup = write();
        for (int failing = 0; failing < GROUPS; failing++) {
            requests.set(0);
            int failingRequest = failing;
            TrinoFileSystem unreliable = new ReadHookFileSystem(storage, new CountingHook()
            {
                @Override
                void waitFor(int number)
                        throws IOException
                {
                    if (number == failingRequest) {
                        throw new IOException("storage fails");
                    }
                }
            });
            assertThatThrownBy(() -> read(unreliable, rowGroup, StorageAccess.REMOTE.ahead(1 << 24)))
                    .isInstanceOf(IOException.class)
                    .hasMessage("storage fails");
            assertThat(inFlight).hasValue(0);
            assertThat(open).hasValue(0);
        }
    }

    private RowGroup write()
            throws IOException
    {
        return RowGroupFixture.write(storage, AlbisLayout.BLOCK, columns().stream().map(ImmutableList::of).collect(toImmutableList()), 1 << 20, ROWS, (column, row) -> (long) row * column.id());
    }

    private static List<AlbisColumn> columns()
    {
        List<AlbisColumn> columns = new ArrayList<>();
        for (int id = 1; id <= GROUPS; id++) {
            columns.add(AlbisColumn.make(id, "column_" + id, BIGINT));
        }
        return columns;
    }

    private long read(TrinoFileSystem fileSystem, RowGroup rowGroup, StorageAccess access)
            throws IOException
    {
        long rows = 0;
        ReaderResources resources = new ReaderResources(MetadataSource.FILES, access, executor, new ScanHistory(GROUPS));
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(columns(), TupleDomain.all()), ReaderOptions.DEFAULTS, resources)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                for (int channel = 0; channel < GROUPS; channel++) {
                    assertThat(BIGINT.getLong(batch.block(channel), 1)).isEqualTo((rows + 1) * (channel + 1));
                }
                rows += batch.positionCount();
            }
        }
        return rows;
    }

    private static void await(CountDownLatch latch, int seconds)
            throws IOException
    {
        try {
            // Only a reader that makes too few requests waits this long
            latch.await(seconds, TimeUnit.SECONDS);
        }
        catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
