package io.albis.table;

import com.google.common.collect.ImmutableMap;
import io.albis.TestTier;
import io.albis.format.metadata.RowGroup;
import io.albis.hdfs.HdfsCluster;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;
import io.albis.table.put.PutIfAbsent;
import io.albis.table.put.PutIfAbsentSelector;
import io.albis.table.put.SmallFiles;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.ids;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Commits by temporary file and rename on a real NameNode, which is also killed during commits.
 */
@TestInstance(PER_CLASS)
@Timeout(7200)
class TestHdfsCommits
{
    private HdfsCluster cluster;

    @BeforeAll
    void setup()
    {
        cluster = HdfsCluster.builder().start();
    }

    @AfterAll
    void close()
    {
        cluster.close();
    }

    @Test
    void testOneOfManyPutsWins()
            throws Exception
    {
        int threads = 4;
        TrinoFileSystem fileSystem = cluster.fileSystem();
        PutIfAbsent putIfAbsent = new PutIfAbsentSelector(fileSystem, Optional.empty()).select(Location.of(cluster.uri() + "/race"));
        CyclicBarrier barrier = new CyclicBarrier(threads);
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            for (int round = 0; round < 10; round++) {
                Location location = Location.of(cluster.uri() + "/race/file-" + round);
                List<Future<Boolean>> results = new ArrayList<>();
                for (int thread = 0; thread < threads; thread++) {
                    byte[] data = new byte[10_000];
                    Arrays.fill(data, (byte) thread);
                    results.add(executor.submit(() -> {
                        barrier.await();
                        boolean created = true;
                        try {
                            putIfAbsent.create(location, data);
                        }
                        catch (IOException e) {
                            created = false;
                        }
                        assertThat(Arrays.equals(SmallFiles.read(fileSystem, location).orElseThrow(), data)).isEqualTo(created);
                        return created;
                    }));
                }
                int winners = 0;
                for (Future<Boolean> result : results) {
                    winners += result.get() ? 1 : 0;
                }
                assertThat(winners).isEqualTo(1);
            }
        }
        // No temporary files are left
        assertThat(TableFixtures.files(fileSystem, Location.of(cluster.uri() + "/race"))).hasSize(10);
    }

    @Test
    void testWritersInParallelLoseNothing()
            throws Exception
    {
        int writers = 3;
        int appends = TestTier.isComplete() ? 8 : 4;
        prepare("parallel");
        Set<UUID> expected = new HashSet<>(rowGroupIds(load(warehouse("parallel"), "s", "t")));
        List<List<RowGroup>> rowGroups = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
            List<RowGroup> ofWriter = new ArrayList<>();
            for (int append = 0; append < appends; append++) {
                ofWriter.add(oneRow());
            }
            rowGroups.add(ofWriter);
            expected.addAll(ids(ofWriter));
        }
        CyclicBarrier barrier = new CyclicBarrier(writers);
        try (ExecutorService executor = Executors.newFixedThreadPool(writers)) {
            List<Future<?>> results = new ArrayList<>();
            for (List<RowGroup> ofWriter : rowGroups) {
                Warehouse warehouse = warehouse("parallel");
                results.add(executor.submit(() -> {
                    barrier.await();
                    for (RowGroup rowGroup : ofWriter) {
                        warehouse.append(load(warehouse, "s", "t"), rows(rowGroup), ReadSet.BLIND);
                    }
                    return null;
                }));
            }
            for (Future<?> result : results) {
                result.get();
            }
        }
        AlbisTable table = load(warehouse("parallel"), "s", "t");
        assertThat(rowGroupIds(table)).isEqualTo(expected);
        assertThat(table.rowGroups()).hasSize(expected.size());
        // Each commit creates one version, and no two commits create the same one
        assertThat(table.version().version()).isEqualTo(TableVersion.FIRST_VERSION + writers * appends);
    }

    @Test
    @Tag("slow")
    void testNameNodeIsKilledBeforeTheRename()
            throws IOException
    {
        commitWhileNameNodeIsKilled("before", new Kill(false, operation -> operation.kind() == Kind.RENAME));
    }

    @Test
    void testNameNodeIsKilledBeforeItAnswersTheRename()
            throws IOException
    {
        commitWhileNameNodeIsKilled("after", new Kill(true, operation -> operation.kind() == Kind.RENAME));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("slow")
    void testNameNodeIsKilledAtEachStep(boolean afterwards)
            throws IOException
    {
        boolean reached = true;
        for (int step = 0; reached; step++) {
            AtomicInteger left = new AtomicInteger(step);
            Kill kill = new Kill(afterwards, _ -> left.getAndDecrement() == 0);
            reached = commitWhileNameNodeIsKilled("step-%s-%s".formatted(step, afterwards), kill);
        }
    }

    /**
     * @return whether the commit reached the kill
     */
    private boolean commitWhileNameNodeIsKilled(String name, Kill kill)
            throws IOException
    {
        prepare(name);
        Set<UUID> before = rowGroupIds(load(warehouse(name), "s", "t"));
        RowGroup newRow = oneRow();
        Warehouse hooked = warehouse(name, new HookedFileSystem(cluster.fileSystem(), kill));
        Optional<Boolean> committed;
        try {
            hooked.append(load(hooked, "s", "t"), rows(newRow), ReadSet.BLIND);
            committed = Optional.of(true);
        }
        catch (TableException e) {
            assertThat(e.reason()).isEqualTo(OUTCOME_UNKNOWN);
            committed = Optional.empty();
        }
        catch (UncheckedIOException e) {
            committed = Optional.of(false);
        }
        kill.awaitRestart();
        cluster.awaitReady();

        Set<UUID> after = new HashSet<>(rowGroupIds(load(warehouse(name), "s", "t")));
        boolean found = after.remove(newRow.id());
        assertThat(after).isEqualTo(before);
        committed.ifPresent(told -> assertThat(found).as(name).isEqualTo(told));

        // The table is still writable
        RowGroup nextRow = oneRow();
        warehouse(name).append(load(warehouse(name), "s", "t"), rows(nextRow), ReadSet.BLIND);
        assertThat(rowGroupIds(load(warehouse(name), "s", "t"))).containsAll(before).contains(nextRow.id()).hasSize(before.size() + (found ? 2 : 1));
        return kill.isDone();
    }

    private void prepare(String name)
    {
        Warehouse warehouse = warehouse(name);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        createTable(warehouse, "s", "t", oneRow());
    }

    private Warehouse warehouse(String name)
    {
        return warehouse(name, cluster.fileSystem());
    }

    private Warehouse warehouse(String name, TrinoFileSystem fileSystem)
    {
        return new Warehouse(fileSystem, Location.of(cluster.uri() + "/" + name), TYPE_RESOLVER, WarehouseOptions.DEFAULT);
    }

    /**
     * Kills the NameNode once, and restarts it while the client continues.
     */
    private final class Kill
            implements Hook
    {
        private final boolean afterwards;
        private final Predicate<Operation> when;
        private Optional<Thread> restart = Optional.empty();

        private Kill(boolean afterwards, Predicate<Operation> when)
        {
            this.afterwards = afterwards;
            this.when = when;
        }

        private boolean isDone()
        {
            return restart.isPresent();
        }

        @Override
        public void before(Operation operation)
        {
            if (!afterwards && !isDone() && when.test(operation)) {
                kill();
            }
        }

        @Override
        public void after(Operation operation)
                throws IOException
        {
            if (afterwards && !isDone() && when.test(operation)) {
                kill();
                // The exception that the client throws when the response does not arrive
                throw new EOFException("End of File Exception between local host and NameNode");
            }
        }

        private void kill()
        {
            cluster.nameNode().kill();
            restart = Optional.of(Thread.startVirtualThread(cluster.nameNode()::start));
        }

        private void awaitRestart()
        {
            restart.ifPresent(thread -> {
                try {
                    thread.join();
                }
                catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException(e);
                }
            });
        }
    }
}
