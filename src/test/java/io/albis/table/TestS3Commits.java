package io.albis.table;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.s3.S3FileSystems;
import io.albis.s3.S3Gate;
import io.albis.s3.S3Gate.Fault;
import io.albis.s3.S3Gate.Operation;
import io.albis.s3.S3TestServer;
import io.albis.table.model.TableException;
import io.albis.table.put.PutByExclusiveCreate;
import io.albis.table.put.PutIfAbsent;
import io.albis.table.put.SmallFiles;
import io.albis.table.put.StorageProbe;
import io.albis.table.put.TestPutIfAbsent;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.ids;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

/**
 * Commits on a real S3 server: how it handles conditional writes, and what remains on storage after failures.
 */
@TestInstance(PER_CLASS)
@Timeout(300)
class TestS3Commits
{
    private static final int WRITERS = 4;
    private static final int APPENDS = 8;

    private S3TestServer server;
    private S3FileSystems fileSystems;
    private S3FileSystems fileSystemsWithRetries;

    @BeforeAll
    void setup()
            throws Exception
    {
        server = S3TestServer.start();
        fileSystems = server.fileSystems(1);
        fileSystemsWithRetries = server.fileSystems(4);
    }

    @AfterAll
    void close()
            throws Exception
    {
        fileSystems.close();
        fileSystemsWithRetries.close();
        server.close();
    }

    @AfterEach
    void noFaults()
    {
        server.gate().setFaults(_ -> Fault.NONE);
        server.gate().setIgnoreConditions(false);
    }

    private static Location newFolder()
    {
        return Location.of("s3://%s/%s".formatted(S3TestServer.BUCKET, UUID.randomUUID()));
    }

    private TrinoFileSystem fileSystem()
    {
        return fileSystems.create();
    }

    private Warehouse warehouse(Location folder)
    {
        return new Warehouse(fileSystem(), folder, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withPolicy(POLICY));
    }

    /**
     * The server supports the conditional writes that Albis needs.
     */
    @Test
    void testServerRefusesTheSecondWriter()
            throws Exception
    {
        PutIfAbsent put = new PutByExclusiveCreate(fileSystem());
        Location location = newFolder().appendPath("file");
        put.create(location, new byte[] {1});
        assertThatThrownBy(() -> put.create(location, new byte[] {2})).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(SmallFiles.read(fileSystem(), location)).contains(new byte[] {1});
        server.gate().takeRequests();
        TestPutIfAbsent.race(fileSystem(), put, newFolder());
        assertThat(S3Gate.paths(server.gate().takeRequests(), Operation.PUT_IF_ABSENT)).hasSizeGreaterThan(100);
    }

    /**
     * A server that ignores If-None-Match loses commits, so Albis does not write there.
     */
    @Test
    void testServerThatOverwrites()
            throws Exception
    {
        Location folder = newFolder();
        server.gate().setIgnoreConditions(true);
        Warehouse trusting = warehouse(folder);
        trusting.createSchema("s", Optional.empty(), ImmutableMap.of());
        createTable(trusting, "s", "t");
        RowGroup first = oneRow();
        RowGroup second = oneRow();
        AtomicInteger puts = new AtomicInteger();
        Warehouse late = new Warehouse(new HookedFileSystem(fileSystem(), new HookedFileSystem.Hook()
        {
            @Override
            public void before(HookedFileSystem.Operation operation)
            {
                if (operation.kind() == HookedFileSystem.Kind.CREATE_EXCLUSIVE && puts.getAndIncrement() == 0) {
                    trusting.append(load(trusting, "s", "t"), rows(first), ReadSet.BLIND);
                }
            }
        }), folder, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withPolicy(POLICY));
        late.append(load(late, "s", "t"), rows(second), ReadSet.BLIND);
        // Both commits were acknowledged, but one of them is lost
        assertThat(rowGroupIds(load(trusting, "s", "t"))).containsExactly(second.id());

        Map<String, byte[]> before = files(fileSystem(), folder);
        StorageProbe probe = new StorageProbe();
        Warehouse asking = new Warehouse(fileSystem(), folder, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withProbe(probe));
        assertThatThrownBy(asking::checkStorage)
                .isInstanceOf(TableException.class)
                .hasMessageStartingWith("Location %s cannot hold Albis tables: its storage overwrites an existing file".formatted(folder));
        // The table is still readable
        AlbisTable table = load(asking, "s", "t");
        assertThatThrownBy(() -> asking.append(table, rows(first), ReadSet.BLIND))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(TableException.Reason.NOT_SUPPORTED));
        assertThat(files(fileSystem(), folder).keySet()).isEqualTo(before.keySet());

        server.gate().setIgnoreConditions(false);
        asking.append(table, rows(first), ReadSet.BLIND);
        assertThat(rowGroupIds(load(asking, "s", "t"))).containsExactlyInAnyOrder(first.id(), second.id());
    }

    @Test
    void testTwoWritersLoseNothing()
            throws Exception
    {
        Location folder = newFolder();
        warehouse(folder).createSchema("s", Optional.empty(), ImmutableMap.of());
        createTable(warehouse(folder), "s", "t");
        Set<UUID> written = ConcurrentHashMap.newKeySet();
        CyclicBarrier barrier = new CyclicBarrier(WRITERS);
        try (ExecutorService executor = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                writers.add(executor.submit(() -> {
                    Warehouse warehouse = warehouse(folder);
                    barrier.await();
                    for (int append = 0; append < APPENDS; append++) {
                        RowGroup row = oneRow();
                        warehouse.append(load(warehouse, "s", "t"), rows(row), ReadSet.BLIND);
                        written.add(row.id());
                    }
                    return null;
                }));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        }
        assertThat(written).hasSize(WRITERS * APPENDS);
        AlbisTable table = load(warehouse(folder), "s", "t");
        assertThat(rowGroupIds(table)).isEqualTo(written);
        assertThat(table.version().version()).isEqualTo(1 + WRITERS * APPENDS);
    }

    /**
     * Each request of a commit fails in turn, in each way. The table has its old or its new state, matching the outcome
     * that the commit reports.
     */
    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "NONE")
    void testEveryRequestFails(Fault fault)
    {
        Location folder = newFolder();
        Warehouse warehouse = warehouse(folder);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        createTable(warehouse, "s", "t", oneRow());
        for (int failing = 0; ; failing++) {
            AlbisTable before = load(warehouse, "s", "t");
            RowGroup row = oneRow();
            boolean committed = false;
            boolean known = true;
            AtomicInteger request = new AtomicInteger(-failing);
            server.gate().setFaults(_ -> request.getAndIncrement() == 0 ? fault : Fault.NONE);
            try {
                warehouse.append(before, rows(row), ReadSet.BLIND);
                committed = true;
            }
            catch (TableException e) {
                known = e.reason() != TableException.Reason.OUTCOME_UNKNOWN;
            }
            catch (UncheckedIOException e) {
                // The commit is known to have failed
            }
            server.gate().setFaults(_ -> Fault.NONE);
            AlbisTable after = load(warehouse, "s", "t");
            boolean found = rowGroupIds(after).contains(row.id());
            assertThat(rowGroupIds(after)).containsAll(rowGroupIds(before)).hasSize(rowGroupIds(before).size() + (found ? 1 : 0));
            assertThat(found || !known || !committed).isTrue();
            assertThat(!known || found == committed).isTrue();
            if (request.get() <= 0) {
                assertThat(failing).isGreaterThan(3);
                break;
            }
        }
    }

    /**
     * The response to the put is lost, and the files on storage show the outcome.
     */
    @Test
    void testLostAnswer()
    {
        Location folder = newFolder();
        Warehouse warehouse = warehouse(folder);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        AlbisTable table = createTable(warehouse, "s", "t", oneRow());
        AtomicInteger puts = new AtomicInteger();
        server.gate().setFaults(request -> request.operation() == Operation.PUT_IF_ABSENT && puts.incrementAndGet() == 1 ? Fault.LOST_RESPONSE : Fault.NONE);
        RowGroup row = oneRow();
        warehouse.append(table, rows(row), ReadSet.BLIND);
        assertThat(puts).hasValue(1);
        assertThat(rowGroupIds(load(warehouse, "s", "t"))).hasSize(2).contains(row.id());
    }

    /**
     * Trino's client retries the put, and its own first put makes the second one fail.
     */
    @Test
    void testClientThatTriesAgain()
    {
        Location folder = newFolder();
        Warehouse warehouse = new Warehouse(fileSystemsWithRetries.create(), folder, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withPolicy(POLICY));
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        AlbisTable table = createTable(warehouse, "s", "t", oneRow());
        AtomicInteger puts = new AtomicInteger();
        server.gate().setFaults(request -> request.operation() == Operation.PUT_IF_ABSENT && puts.incrementAndGet() == 1 ? Fault.LOST_RESPONSE : Fault.NONE);
        RowGroup row = oneRow();
        AlbisTable appended = warehouse.append(table, rows(row), ReadSet.BLIND);
        assertThat(puts).hasValue(2);
        assertThat(appended.version().version()).isEqualTo(2);
        assertThat(rowGroupIds(load(warehouse, "s", "t"))).hasSize(2).contains(row.id());
    }

    /**
     * The same, while others commit between the first put and the second one.
     */
    @Test
    void testClientThatTriesAgainAfterOtherCommits()
    {
        Location folder = newFolder();
        Warehouse warehouse = new Warehouse(fileSystemsWithRetries.create(), folder, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withPolicy(POLICY));
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        AlbisTable table = createTable(warehouse, "s", "t", oneRow());
        AtomicInteger puts = new AtomicInteger();
        List<UUID> others = new ArrayList<>();
        server.gate().setFaults(request -> {
            if (request.operation() != Operation.PUT_IF_ABSENT) {
                return Fault.NONE;
            }
            int put = puts.incrementAndGet();
            if (put == 2) {
                Warehouse other = warehouse(folder);
                for (int commit = 0; commit < 3; commit++) {
                    RowGroup row = oneRow();
                    other.append(load(other, "s", "t"), rows(row), ReadSet.BLIND);
                    others.add(row.id());
                }
            }
            return put == 1 ? Fault.LOST_RESPONSE : Fault.NONE;
        });
        RowGroup row = oneRow();
        warehouse.append(table, rows(row), ReadSet.BLIND);
        assertThat(puts).hasValue(2 + 3);
        AlbisTable after = load(warehouse, "s", "t");
        assertThat(after.version().version()).isEqualTo(1 + 1 + 3);
        assertThat(after.rowGroups()).hasSize(1 + 1 + 3);
        assertThat(rowGroupIds(after)).contains(row.id()).containsAll(others);
    }

    /**
     * The put fails every time, as on a server that is full or denies access.
     */
    @ParameterizedTest
    @EnumSource(names = {"REFUSED", "BUSY", "LOST_REQUEST"})
    void testPutNeverSucceeds(Fault fault)
            throws IOException
    {
        Location folder = newFolder();
        Warehouse warehouse = warehouse(folder);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        AlbisTable table = createTable(warehouse, "s", "t", oneRow());
        server.gate().setFaults(request -> request.operation() == Operation.PUT_IF_ABSENT ? fault : Fault.NONE);
        assertThatThrownBy(() -> warehouse.append(table, rows(oneRow()), ReadSet.BLIND))
                .isInstanceOf(TableException.class)
                .hasMessageEndingWith("it is unknown whether the file exists")
                .cause().hasMessageContaining("Put failed for bucket [bucket] key [%s".formatted(folder.path()));
        server.gate().setFaults(_ -> Fault.NONE);
        assertThat(rowGroupIds(load(warehouse, "s", "t"))).isEqualTo(ids(table.rowGroups()));
    }
}
