package io.albis.trino.manifest;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.units.DataSize;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.ValueOrder;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.manifest.Manifest;
import io.albis.table.manifest.ManifestSource;
import io.albis.table.manifest.ManifestSource.ManifestFile;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.ReadSet;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.security.ConnectorIdentity;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import static io.airlift.slice.SizeOf.instanceSize;
import static io.airlift.units.DataSize.Unit.BYTE;
import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.albis.table.HookedFileSystem.Kind.READ;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.concurrent.Executors.newFixedThreadPool;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestManifestCache
{
    private static final Location ROOT = Location.of("memory:///warehouse");
    private static final int THREADS = 4;
    private static final ManifestExecutor EXECUTOR = new ManifestExecutor("test", THREADS);
    private static final ConnectorIdentity ALICE = ConnectorIdentity.ofUser("alice");
    private static final ConnectorIdentity BOB = ConnectorIdentity.ofUser("bob");

    private final MemoryFileSystem files = new MemoryFileSystem();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicBoolean refusing = new AtomicBoolean();
    private volatile Runnable whenRead = () -> {};

    private final TrinoFileSystem fileSystem = new HookedFileSystem(files, new Hook()
    {
        @Override
        public void before(Operation operation)
                throws IOException
        {
            if (operation.kind() == READ && operation.location().toString().contains("/manifests/")) {
                if (refusing.get()) {
                    throw new IOException("Permission denied: " + operation.location());
                }
                reads.incrementAndGet();
                whenRead.run();
            }
        }
    });

    @AfterAll
    static void shutDown()
    {
        EXECUTOR.shutdown();
    }

    @Test
    void testReadOnce()
    {
        ManifestCache cache = new ManifestCache(DataSize.of(1, MEGABYTE), EXECUTOR);
        AlbisTable table = createTable(5);
        for (int query = 0; query < 3; query++) {
            AlbisTable loaded = load(cache, ALICE);
            assertThat(loaded.rowGroups()).containsExactlyElementsOf(table.rowGroups());
            loaded.sketches();
            assertThat(reads).hasValue(5);
        }
        // Another query gets the same objects
        assertThat(load(cache, ALICE).rowGroups().getFirst()).isSameAs(load(cache, ALICE).rowGroups().getFirst());
        assertThat(load(cache, ALICE).sketches()).isSameAs(load(cache, ALICE).sketches());
        assertThat(cache.getStats().size()).isEqualTo(6);
        assertThat(cache.getStats().getHitRate()).isPositive();
    }

    @Test
    void testTurnedOff()
    {
        ManifestCache cache = new ManifestCache(DataSize.of(0, BYTE), EXECUTOR);
        createTable(5);
        load(cache, ALICE).rowGroups();
        load(cache, ALICE).rowGroups();
        assertThat(reads).hasValue(10);
        assertThat(cache.getStats().size()).isZero();
    }

    @Test
    void testAppendsReadWhatIsNew()
    {
        ManifestCache cache = new ManifestCache(DataSize.of(1, MEGABYTE), EXECUTOR);
        createTable(5);
        load(cache, ALICE).rowGroups();
        reads.set(0);
        append(warehouse(cache, ALICE));
        assertThat(load(cache, ALICE).rowGroups()).hasSize(6);
        assertThat(reads).hasValue(1);
        // A merge reads only the manifest that is not cached: the one just written
        append(warehouse(cache, ALICE));
        append(warehouse(cache, ALICE));
        assertThat(load(cache, ALICE).version().manifests()).hasSize(1);
        assertThat(reads).hasValue(2);
        assertThat(load(cache, ALICE).rowGroups()).hasSize(8);
    }

    /**
     * With impersonation on HDFS, for example, each user has a file system that refuses other users' files.
     */
    @Test
    void testIdentityThatMayNotRead()
    {
        ManifestCache cache = new ManifestCache(DataSize.of(1, MEGABYTE), EXECUTOR);
        createTable(1);
        load(cache, ALICE).rowGroups();
        refusing.set(true);
        assertThat(load(cache, ALICE).rowGroups()).hasSize(1);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> load(cache, BOB).rowGroups())
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("Permission denied");
            assertThatThrownBy(() -> load(cache, BOB).sketches())
                    .hasMessageContaining("Permission denied");
        }
        // The file system may also check extra credentials
        assertThatThrownBy(() -> load(cache, ConnectorIdentity.forUser("alice").withExtraCredentials(Map.of("role", "other")).build()).rowGroups())
                .hasMessageContaining("Permission denied");

        refusing.set(false);
        reads.set(0);
        assertThat(load(cache, BOB).rowGroups()).hasSize(1);
        assertThat(load(cache, BOB).rowGroups()).hasSize(1);
        // One byte, and only once
        assertThat(reads).hasValue(1);
    }

    @Test
    void testReadInParallel()
            throws Exception
    {
        ManifestCache cache = new ManifestCache(DataSize.of(1, MEGABYTE), EXECUTOR);
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
        ManifestCache cache = new ManifestCache(DataSize.of(0, BYTE), EXECUTOR);
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
        ManifestCache cache = new ManifestCache(DataSize.of(1, MEGABYTE), EXECUTOR);
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

    @Test
    void testFailuresAndDamageAreNotKept()
            throws IOException
    {
        ManifestCache cache = new ManifestCache(DataSize.of(1, MEGABYTE), EXECUTOR);
        AlbisTable table = createTable(1);
        refusing.set(true);
        assertThatThrownBy(() -> load(cache, ALICE).rowGroups()).hasMessageContaining("Permission denied");
        refusing.set(false);
        Location location = manifest(table, table.version().manifests().getLast());
        byte[] good = read(location);
        byte[] bad = good.clone();
        bad[good.length / 2]++;
        files.newOutputFile(location).createOrOverwrite(bad);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> load(cache, ALICE).rowGroups())
                    .cause().isInstanceOf(AlbisDataException.class)
                    .hasMessageContaining(location.toString());
        }
        files.newOutputFile(location).createOrOverwrite(good);
        assertThat(load(cache, ALICE).rowGroups()).hasSize(1);
    }

    /**
     * A cached manifest is checked against the version in the same way as a file.
     */
    @Test
    void testManifestOfAnother()
            throws IOException
    {
        ManifestCache cache = new ManifestCache(DataSize.of(1, MEGABYTE), EXECUTOR);
        AlbisTable table = createTable(1);
        load(cache, ALICE).rowGroups();
        ManifestEntry entry = table.version().manifests().getFirst();
        Location location = manifest(table, entry);
        Manifest kept = cache.forIdentity(ALICE).get(location, new Unreadable());
        assertThat(kept.table()).isEqualTo(table.uuid());
        assertThat(kept.length()).isEqualTo(entry.length());

        // A table with another id in the same folder
        Warehouse warehouse = warehouse(cache, ALICE);
        assertThatThrownBy(() -> warehouse.loadTableVersion("s", "t", table.folder(), UUID.randomUUID(), 1).rowGroups())
                .hasMessageContaining("belongs to table");
        // The same id in another folder is another file
        assertThatThrownBy(() -> cache.forIdentity(ALICE).get(Location.of("memory:///copy/manifests/" + entry.id()), new Unreadable()))
                .hasMessage("read");
    }

    @Test
    void testBounded()
            throws IOException
    {
        DataSize maxSize = DataSize.of(64, KILOBYTE);
        ManifestCache cache = new ManifestCache(maxSize, EXECUTOR);
        createTable(1);
        AlbisTable table = load(cache, ALICE);
        assertThat(table.rowGroups()).hasSize(1);
        Manifest manifest = cache.forIdentity(ALICE).get(manifest(table, table.version().manifests().getFirst()), new Unreadable());
        long entrySize = manifest.retainedSize();
        ManifestSource source = cache.forIdentity(ALICE);
        for (int i = 0; i < 1000; i++) {
            source.get(Location.of("memory:///" + i), new ManifestFile()
            {
                @Override
                public Manifest read()
                {
                    return manifest;
                }

                @Override
                public void checkReadable() {}
            });
        }
        assertThat(cache.getStats().size() * entrySize).isPositive().isLessThan(maxSize.toBytes());
        assertThat(entrySize).isGreaterThan(instanceSize(Manifest.class) + table.version().manifests().getFirst().length());
    }

    private static final class Unreadable
            implements ManifestFile
    {
        @Override
        public Manifest read()
                throws IOException
        {
            throw new IOException("read");
        }

        @Override
        public void checkReadable()
                throws IOException
        {
            throw new IOException("check");
        }
    }

    private AlbisTable createTable(int manifests)
    {
        Warehouse warehouse = new Warehouse(files, ROOT, _ -> BIGINT);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        TableDefinition definition = new TableDefinition(
                ImmutableList.of(new TableColumn(1, "id", BIGINT, true, Optional.empty())),
                ImmutableList.of(new TableColumnGroup(AlbisLayout.BLOCK, ImmutableList.of(1))),
                ImmutableMap.of(),
                Optional.empty(),
                Optional.empty());
        warehouse.createTable(warehouse.newTable("s", "t", definition), oneRow());
        for (int i = 1; i < manifests; i++) {
            append(warehouse);
        }
        AlbisTable table = warehouse.loadTable("s", "t").orElseThrow();
        assertThat(table.version().manifests()).hasSize(manifests);
        return table;
    }

    private static void append(Warehouse warehouse)
    {
        warehouse.append(warehouse.loadTable("s", "t").orElseThrow(), oneRow(), ReadSet.BLIND);
    }

    private static TableRows oneRow()
    {
        ColumnStatistics statistics = new ColumnStatistics(1, 0, ValueOrder.CONSTANT, Optional.of(new byte[8]), Optional.of(new byte[8]), Optional.of("bigint"));
        return TableRows.withoutSketches(ImmutableList.of(new RowGroup(
                UUID.randomUUID(),
                1,
                ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 1, 1)),
                ImmutableList.of(statistics))));
    }

    private AlbisTable load(ManifestCache cache, ConnectorIdentity identity)
    {
        return warehouse(cache, identity).loadTable("s", "t").orElseThrow();
    }

    private Warehouse warehouse(ManifestCache cache, ConnectorIdentity identity)
    {
        return new Warehouse(fileSystem, ROOT, _ -> BIGINT, WarehouseOptions.DEFAULT.withManifests(cache.forIdentity(identity)));
    }

    private static Location manifest(AlbisTable table, ManifestEntry entry)
    {
        return table.folder().appendPath("manifests").appendPath(entry.id().toString());
    }

    private byte[] read(Location location)
            throws IOException
    {
        return files.newInputFile(location).newStream().readAllBytes();
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
