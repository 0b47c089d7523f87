package io.albis.table.maintenance;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.put.CommitPolicy;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.LongStream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.maintenance.MaintainedTable.stall;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Old versions expire beside readers, writers, and other expiries that stall at any point, and no commit is lost.
 */
class TestExpiryBesideOthers
        extends BaseExpiryTest
{
    @Test
    void testWriterStallsBeforeItsPut()
            throws IOException
    {
        append();
        RowGroup rowGroup = table.rowGroup();
        Warehouse writer = stallingAtExpiredVersion(false, false);
        AlbisTable written = writer.append(load(), rows(rowGroup), ReadSet.BLIND);
        assertThat(written.version().version()).isEqualTo(12);
        assertThat(table.isStub(3)).isTrue();
        assertThat(load().rowGroups()).hasSize(11).extracting(RowGroup::id).containsOnlyOnce(rowGroup.id());
        table.checkReadable(states);
    }

    @Test
    void testResponseIsLostAndTheVersionExpires()
            throws IOException
    {
        append();
        RowGroup rowGroup = table.rowGroup();
        Warehouse writer = stallingAtExpiredVersion(true, true);
        writer.append(load(), rows(rowGroup), ReadSet.BLIND);
        // The rows are committed once
        assertThat(table.newest().version()).isEqualTo(11);
        assertThat(load().rowGroups()).hasSize(10).extracting(RowGroup::id).containsOnlyOnce(rowGroup.id());
        table.checkReadable(states);
        table.checkNoGarbage();
    }

    @Test
    void testRaceIsLostAndTheVersionExpires()
            throws IOException
    {
        append();
        RowGroup rowGroup = table.rowGroup();
        Warehouse writer = stallingAtExpiredVersion(false, true);
        assertThat(writer.append(load(), rows(rowGroup), ReadSet.BLIND).version().version()).isEqualTo(12);
        assertThat(load().rowGroups()).hasSize(11).extracting(RowGroup::id).containsOnlyOnce(rowGroup.id());
    }

    @Test
    void testReaderStallsBeforeItReadsTheVersion()
    {
        for (int later = 1; later <= 4; later++) {
            append();
            long newest = table.newest().version();
            long last = newest + later;
            Warehouse reader = stalling(operation -> operation.kind() == Kind.READ && operation.location().equals(table.paths().version(newest)), () -> {
                appendTo(last);
                expire(1);
            }, false, false);
            assertThat(reader.loadTable("s", "t").orElseThrow().version().version()).isEqualTo(last + 1);
            assertThat(table.isStub(newest)).isTrue();
        }
    }

    @Test
    @Timeout(300)
    void testTwoExpiriesAtOnce()
            throws IOException
    {
        int position = 0;
        AtomicBoolean reached = new AtomicBoolean(true);
        while (reached.get()) {
            MemoryFileSystem storage = new MemoryFileSystem();
            MaintainedTable contested = MaintainedTable.create(storage);
            Warehouse other = warehouse(storage);
            contested.writeVersions(3);
            reached.set(false);
            Warehouse stalling = warehouse(new HookedFileSystem(storage, stall(position, () -> {
                reached.set(true);
                other.append(contested.created(), rows(contested.rowGroup()), ReadSet.BLIND);
                other.truncate(contested.created());
                other.expireVersions(contested.created(), future(), 1);
                other.append(contested.created(), rows(contested.rowGroup()), ReadSet.BLIND);
            })));
            stalling.expireVersions(contested.created(), future(), 2);
            contested.checkReadable(ImmutableMap.of());
            other.expireVersions(contested.created(), future(), 1);
            contested.checkReadable(ImmutableMap.of());
            contested.checkNoGarbage();
            position++;
        }
        assertThat(position).isGreaterThan(20);
    }

    /**
     * On a table with many versions, they are read for longer than a commit retries.
     */
    @Test
    void testOthersCommitWhileVersionsAreRead()
            throws IOException
    {
        appendTo(10);
        Set<Location> remaining = LongStream.range(6, 10)
                .mapToObj(table.paths()::version)
                .collect(toImmutableSet());
        Hook appendBeforeRead = new Hook()
        {
            @Override
            public void before(Operation operation)
            {
                if (operation.kind() == Kind.READ && remaining.contains(operation.location())) {
                    append();
                }
            }
        };
        CommitPolicy withoutRetries = new CommitPolicy(Duration.ZERO, Duration.ZERO, Duration.ZERO, 3);
        Warehouse expiring = new Warehouse(new HookedFileSystem(fileSystem, appendBeforeRead), ROOT, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withPolicy(withoutRetries));
        assertThat(expire(expiring, 5).versions()).isEqualTo(5);
        assertThat(table.newest().version()).isGreaterThan(14);
        table.checkReadable(states);
    }

    @Test
    void testBaseOfAWriterExpires()
            throws IOException
    {
        RowGroup rowGroup = table.rowGroup();
        warehouse.append(load(), rows(rowGroup), ReadSet.BLIND);
        AlbisTable base = load();
        AlbisTable changed = warehouse.change(base, table.delete(rowGroup, 1), WHERE);
        warehouse.change(changed, table.delete(find(changed, rowGroup), 2), WHERE);
        expire(1);
        assertRefused(CONFLICT, () -> warehouse.change(changed, table.delete(rowGroup, 5), WHERE));
        assertThatThrownBy(() -> warehouse.append(base, rows(table.rowGroup()), ReadSet.wholeTable()))
                .hasMessage("Version 2 of the table, which this statement has read, has expired before the statement was complete. Retry the statement");
        RowGroup inserted = table.rowGroup();
        warehouse.append(base, rows(inserted), ReadSet.BLIND);
        assertThat(rowGroupIds(load())).contains(inserted.id());
        assertThat(load().rowCount()).isEqualTo(1 + 8 + 10);
    }

    /**
     * The base version of a DELETE expires while the DELETE reads it.
     */
    @Test
    void testBaseExpiresDuringTheCommit()
    {
        RowGroup rowGroup = table.rowGroup();
        AlbisTable base = warehouse.append(load(), rows(rowGroup), ReadSet.BLIND);
        AlbisTable changed = warehouse.change(base, table.delete(rowGroup, 1), WHERE);
        RowGroup current = find(changed, rowGroup);
        RowGroup again = find(warehouse.change(changed, table.delete(current, 2), WHERE), rowGroup);
        Warehouse writer = stalling(isRead(current.deletedRows().orElseThrow().location(base.folder())), () -> expire(1), false, false);
        assertRefused(CONFLICT, () -> writer.change(changed, table.delete(again, 5), WHERE));
        assertThat(load().rowCount()).isEqualTo(1 + 8);
    }

    @Test
    void testManifestsOfTheNewestVersionExpire()
            throws IOException
    {
        // The next commit merges these manifests
        appendTo(7);
        AlbisTable base = load();
        Location manifest = table.paths().manifest(base.version().manifests().getFirst().id());
        AtomicBoolean stalled = new AtomicBoolean();
        Warehouse writer = stalling(isRead(manifest), () -> {
            stalled.set(true);
            warehouse.truncate(load());
            append();
            expire(1);
        }, false, false);
        RowGroup rowGroup = table.rowGroup();
        writer.append(base, rows(rowGroup), ReadSet.BLIND);
        assertThat(stalled).isTrue();
        assertThat(fileSystem.newInputFile(manifest).exists()).isFalse();
        assertThat(load().rowGroups()).hasSize(2).extracting(RowGroup::id).contains(rowGroup.id());
        table.checkReadable(states);
    }

    @Test
    @Timeout(300)
    void testRandomHistories()
            throws IOException
    {
        long seed = new Random().nextLong();
        System.out.println("Seed of TestExpiryBesideOthers: " + seed);
        Random random = new Random(seed);
        for (int history = 0; history < 5; history++) {
            MemoryFileSystem storage = new MemoryFileSystem();
            MaintainedTable randomTable = MaintainedTable.create(storage);
            run(random, randomTable, storage);
        }
    }

    private void run(Random random, MaintainedTable history, MemoryFileSystem storage)
            throws IOException
    {
        Warehouse plain = warehouse(storage);
        Map<Long, Set<UUID>> known = new HashMap<>();
        for (int step = 0; step < 40; step++) {
            Warehouse client = random.nextBoolean() ? plain : warehouse(new HookedFileSystem(storage, stall(random.nextInt(40), () -> {
                plain.append(history.created(), rows(history.rowGroup()), ReadSet.BLIND);
                plain.expireVersions(history.created(), future(), 1 + random.nextInt(3));
            })));
            AlbisTable loaded = plain.loadTable("s", "t").orElseThrow();
            switch (random.nextInt(6)) {
                case 0, 1, 2 -> client.append(loaded, rows(history.rowGroup()), ReadSet.BLIND);
                case 3 -> {
                    List<RowGroup> rowGroups = loaded.rowGroups().stream().filter(rowGroup -> rowGroup.rows() > 1 && rowGroup.liveRows() == rowGroup.rows()).toList();
                    if (!rowGroups.isEmpty()) {
                        plain.change(loaded, history.delete(rowGroups.get(random.nextInt(rowGroups.size())), random.nextInt(10)), WHERE);
                    }
                }
                case 4 -> {
                    if (random.nextInt(4) == 0) {
                        client.truncate(loaded);
                    }
                }
                default -> client.expireVersions(loaded, future(), 1 + random.nextInt(6));
            }
            AlbisTable after = plain.loadTable("s", "t").orElseThrow();
            known.put(after.version().version(), rowGroupIds(after));
            history.checkReadable(known);
        }
        plain.expireVersions(history.created(), future(), 2);
        history.checkReadable(known);
        history.checkNoGarbage();
    }

    /**
     * Returns a row group as it is in a version, with the rows that are deleted there.
     */
    private static RowGroup find(AlbisTable version, RowGroup rowGroup)
    {
        return version.rowGroups().stream().filter(found -> found.id().equals(rowGroup.id())).findFirst().orElseThrow();
    }

    /**
     * Returns a client that stalls at its put of version 3, while others commit versions until 10 and all but the last
     * two expire.
     */
    private Warehouse stallingAtExpiredVersion(boolean afterwards, boolean fails)
    {
        Location version = table.paths().version(3);
        return stalling(operation -> operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().equals(version), () -> {
            appendTo(10);
            assertThat(expire(2).versions()).isEqualTo(8);
        }, afterwards, fails);
    }

    private static Predicate<Operation> isRead(Location location)
    {
        return operation -> operation.kind() == Kind.READ && operation.location().equals(location);
    }

    /**
     * Returns a client that stalls at the first operation of a kind, while others act.
     *
     * @param afterwards whether it stalls after the operation took effect, not before
     * @param fails whether the operation then fails
     */
    private Warehouse stalling(Predicate<Operation> where, Runnable others, boolean afterwards, boolean fails)
    {
        AtomicBoolean done = new AtomicBoolean();
        return warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (!afterwards) {
                    stall(operation);
                }
            }

            @Override
            public void after(Operation operation)
                    throws IOException
            {
                if (afterwards) {
                    stall(operation);
                }
            }

            private void stall(Operation operation)
                    throws IOException
            {
                if (where.test(operation) && done.compareAndSet(false, true)) {
                    others.run();
                    if (fails) {
                        throw new IOException("The response is lost");
                    }
                }
            }
        }));
    }
}
