package io.albis.trino.read;

import com.google.common.collect.ImmutableList;
import io.airlift.units.DataSize;
import io.albis.format.AlbisSchema;
import io.albis.format.ReadHookFileSystem;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.MetadataSource;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.ReaderResources;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.scan.ScanHistory;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import static io.airlift.slice.Slices.utf8Slice;
import static io.airlift.units.DataSize.Unit.BYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.albis.format.io.AlbisDataException.damaged;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.concurrent.Executors.newFixedThreadPool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestMetadataCache
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final List<AlbisColumn> COLUMNS = ImmutableList.of(AlbisColumn.make(1, "number", BIGINT), AlbisColumn.make(2, "text", VARCHAR));
    private static final Location FILE = FOLDER.appendPath("metadata");

    private final List<ReadHookFileSystem.Read> reads = new ArrayList<>();
    private final TrinoFileSystem fileSystem = new ReadHookFileSystem(new MemoryFileSystemFactory().create(ofUser("test")), reads::add);

    @Test
    void testSecondReadRequestsNoMetadata()
            throws IOException
    {
        RowGroup rowGroup = write();
        MetadataCache cache = new MetadataCache(DataSize.of(1, MEGABYTE));
        read(rowGroup, cache);
        assertThat(reads).filteredOn(ReadHookFileSystem.Read::isMetadata).hasSize(2);
        assertThat(reads).hasSize(4);
        assertThat(cache.getStats().size()).isEqualTo(2);

        reads.clear();
        read(rowGroup, cache);
        assertThat(reads).filteredOn(ReadHookFileSystem.Read::isMetadata).isEmpty();
        assertThat(reads).hasSize(2);
        assertThat(cache.getStats().getRequestCount()).isEqualTo(4);
        assertThat(cache.getStats().getHitRate()).isEqualTo(0.5);
    }

    @Test
    void testFlush()
            throws IOException
    {
        RowGroup rowGroup = write();
        MetadataCache cache = new MetadataCache(DataSize.of(1, MEGABYTE));
        read(rowGroup, cache);
        cache.flush();
        assertThat(cache.getStats().size()).isZero();
        read(rowGroup, cache);
        assertThat(reads).filteredOn(ReadHookFileSystem.Read::isMetadata).hasSize(4);
        assertThat(cache.getStats().size()).isEqualTo(2);
    }

    @Test
    void testEachFileIsCountedOnce()
            throws IOException
    {
        RowGroup rowGroup = write();
        MetadataCache cache = new MetadataCache(DataSize.of(1, MEGABYTE));
        read(rowGroup, cache, StorageAccess.REMOTE.ahead(1 << 24));
        assertThat(cache.getStats().getRequestCount()).isEqualTo(2);
        assertThat(cache.getStats().getHitRate()).isZero();
        read(rowGroup, cache, StorageAccess.REMOTE.ahead(1 << 24));
        assertThat(cache.getStats().getRequestCount()).isEqualTo(4);
        assertThat(cache.getStats().getHitRate()).isEqualTo(0.5);
    }

    /**
     * The parts of a row group are read by several readers, which need the same deleted rows.
     */
    @Test
    void testDeletedRows()
            throws IOException
    {
        DeletesWriter writer = new DeletesWriter(fileSystem, FOLDER, UUID.randomUUID());
        RowGroup rowGroup = write();
        RowGroup first = rowGroup.withDeletedRows(writer.add(DeletedPositions.of(0)));
        RowGroup second = rowGroup.withDeletedRows(writer.add(DeletedPositions.ofRange(0, rowGroup.rows())));
        writer.close();
        for (StorageAccess access : List.of(StorageAccess.LOCAL, StorageAccess.REMOTE.ahead(1 << 24))) {
            MetadataCache cache = new MetadataCache(DataSize.of(1, MEGABYTE));
            reads.clear();
            for (int i = 0; i < 3; i++) {
                read(first, cache, access);
                read(second, cache, access);
            }
            assertThat(reads).filteredOn(read -> read.location().path().contains("deletes/")).hasSize(2);
            assertThat(cache.getStats().size()).isEqualTo(4);
            assertThat(cache.getStats().getRequestCount()).isEqualTo(18);
        }
    }

    @Test
    void testTurnedOff()
            throws IOException
    {
        RowGroup rowGroup = write();
        MetadataCache cache = new MetadataCache(DataSize.of(0, BYTE));
        read(rowGroup, cache);
        read(rowGroup, cache);
        assertThat(reads).filteredOn(ReadHookFileSystem.Read::isMetadata).hasSize(4);
        assertThat(cache.getStats().size()).isZero();
    }

    @Test
    void testBounded()
            throws IOException
    {
        DataSize maxSize = DataSize.of(1, MEGABYTE);
        MetadataCache cache = new MetadataCache(maxSize);
        ColumnGroupMetadata metadata = metadata();
        long enough = 3 * maxSize.toBytes() / metadata.retainedSize();
        for (int i = 0; i < enough; i++) {
            cache.get(FOLDER.appendPath("metadata-" + i), 1, () -> metadata);
        }
        assertThat(cache.getStats().size() * metadata.retainedSize()).isPositive().isLessThan(maxSize.toBytes());
    }

    @Test
    void testErrorsAreThemselvesAndNotKept()
            throws IOException
    {
        MetadataCache cache = new MetadataCache(DataSize.of(1, MEGABYTE));
        AlbisDataException damaged = damaged("damaged");
        assertThatThrownBy(() -> cache.get(FILE, 1, () -> {
            throw damaged;
        })).isSameAs(damaged);
        IllegalStateException unchecked = new IllegalStateException("unchecked");
        assertThatThrownBy(() -> cache.get(FILE, 1, () -> {
            throw unchecked;
        })).isSameAs(unchecked);
        OutOfMemoryError error = new OutOfMemoryError("error");
        assertThatThrownBy(() -> cache.get(FILE, 1, () -> {
            throw error;
        })).isSameAs(error);
        assertThat(cache.isPresent(FILE, 1)).isFalse();

        ColumnGroupMetadata metadata = metadata();
        assertThat(cache.get(FILE, 1, () -> metadata)).isSameAs(metadata);
        assertThat(cache.isPresent(FILE, 1)).isTrue();
        // A file with another length is another file
        assertThat(cache.isPresent(FILE, 2)).isFalse();
    }

    @Test
    void testLoadedOnce()
            throws Exception
    {
        int threads = 4;
        MetadataCache cache = new MetadataCache(DataSize.of(1, MEGABYTE));
        ColumnGroupMetadata metadata = metadata();
        AtomicInteger loads = new AtomicInteger();
        CountDownLatch started = new CountDownLatch(threads);
        try (ExecutorService executor = newFixedThreadPool(threads)) {
            List<Future<ColumnGroupMetadata>> results = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                results.add(executor.submit(() -> {
                    started.countDown();
                    return cache.get(FILE, 1, () -> {
                        await(started);
                        loads.incrementAndGet();
                        return metadata;
                    });
                }));
            }
            for (Future<ColumnGroupMetadata> result : results) {
                assertThat(result.get()).isSameAs(metadata);
            }
        }
        assertThat(loads).hasValue(1);
    }

    @Test
    void testFailureOfAnotherIsNotMine()
            throws Exception
    {
        MetadataCache cache = new MetadataCache(DataSize.of(1, MEGABYTE));
        ColumnGroupMetadata metadata = metadata();
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        try (ExecutorService executor = newFixedThreadPool(2)) {
            Future<ColumnGroupMetadata> first = executor.submit(() -> cache.get(FILE, 1, () -> {
                loading.countDown();
                await(second);
                throw new IOException("may not");
            }));
            await(loading);
            Future<ColumnGroupMetadata> other = executor.submit(() -> {
                second.countDown();
                return cache.get(FILE, 1, () -> metadata);
            });
            assertThatThrownBy(first::get).hasMessageContaining("may not");
            assertThat(other.get()).isSameAs(metadata);
        }
    }

    private static void await(CountDownLatch latch)
            throws IOException
    {
        try {
            latch.await();
        }
        catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private ColumnGroupMetadata metadata()
            throws IOException
    {
        List<ColumnGroupMetadata> loaded = new ArrayList<>();
        MetadataSource source = (_, _, loader) -> {
            loaded.add(loader.load());
            return loaded.getLast();
        };
        read(write(), source);
        return loaded.getFirst();
    }

    private RowGroup write()
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(COLUMNS, ImmutableList.of(AlbisColumnGroup.make(COLUMNS.get(0)), AlbisColumnGroup.make(COLUMNS.get(1))));
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, schema.rowGroupSchema(), WriterOptions.DEFAULTS);
        for (long i = 0; i < 2; i++) {
            writer.append(new Page(writeNativeValue(BIGINT, i), writeNativeValue(VARCHAR, utf8Slice("value " + i))));
        }
        return writer.finish().getFirst();
    }

    private void read(RowGroup rowGroup, MetadataSource source)
            throws IOException
    {
        read(rowGroup, source, StorageAccess.LOCAL);
    }

    private void read(RowGroup rowGroup, MetadataSource source, StorageAccess access)
            throws IOException
    {
        try (RowGroupReader reader = RowGroupReader.open(
                fileSystem,
                FOLDER,
                rowGroup,
                RowGroupScan.of(COLUMNS, TupleDomain.all()),
                ReaderOptions.DEFAULTS,
                new ReaderResources(source, access, Runnable::run, new ScanHistory(COLUMNS.size())))) {
            long rows = 0;
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                for (int channel = 0; channel < COLUMNS.size(); channel++) {
                    assertThat(batch.block(channel).getPositionCount()).isEqualTo(batch.positionCount());
                }
                rows += batch.positionCount();
            }
            assertThat(rows).isEqualTo(rowGroup.liveRows());
        }
    }
}
