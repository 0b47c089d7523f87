package io.albis.table.maintenance;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.ReadSet;
import io.albis.table.version.RowChange;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.maintenance.MaintainedTable.stall;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static io.albis.table.model.TableOperation.DELETE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Old versions expire beside readers, writers, and other expiries that stall at any point, and no commit is lost.
 */
class TestExpiry
{
    private static final ReadSet WHERE = ReadSet.ofDelete(TupleDomain.all());

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);
    private final MaintainedTable table = MaintainedTable.create(fileSystem);
    private final Map<Long, Set<UUID>> states = new HashMap<>();

    @Test
    void testFilesOfExpiredVersions()
            throws IOException
    {
        append();
        RowGroup rowGroup = table.rowGroup();
        AlbisTable base = warehouse.append(load(), rows(rowGroup), ReadSet.BLIND);
        AlbisTable deleted = warehouse.change(base, table.delete(rowGroup, 1), WHERE);
        RowGroup changed = deleted.rowGroups().stream().filter(found -> found.id().equals(rowGroup.id())).findFirst().orElseThrow();
        warehouse.change(deleted, table.delete(changed, 2), WHERE);
        assertThat(table.newest().version()).isEqualTo(5);
        Set<UUID> before = rowGroupIds(load());

        ExpiryResult result = expire(1);
        assertThat(result.versions()).isEqualTo(4);
        assertThat(result.rowGroups()).isZero();
        assertThat(result.deletesFiles()).isEqualTo(1);
        assertThat(result.manifests()).isPositive();
        TableVersion newest = table.newest();
        assertThat(newest.version()).isEqualTo(6);
        assertThat(newest.operation()).isEqualTo("expire");
        assertThat(newest.summary()).containsEntry("expired-versions", "4");
        assertThat(rowGroupIds(load())).isEqualTo(before);
        assertThat(load().rowCount()).isEqualTo(1 + 10 + 8);
        table.checkReadable(states);
        table.checkNoGarbage();
        assertRefused(TABLE_NOT_FOUND, () -> table.at(3));

        warehouse.truncate(load());
        assertThat(expire(1).rowGroups()).isEqualTo(3);
        table.checkNoGarbage();
    }

    /**
     * A manifest is so large that a later version refers to it without one of its row groups.
     */
    @Test
    void testRemovedEntriesOfManifests()
            throws IOException
    {
        RowGroup[] rowGroups = new RowGroup[1000];
        for (int i = 0; i < rowGroups.length; i++) {
            rowGroups[i] = table.rowGroup();
        }
        warehouse.append(load(), rows(rowGroups), ReadSet.BLIND);
        append();
        AlbisTable base = load();
        warehouse.change(base, new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(rowGroups[5].id()), DELETE), WHERE);
        assertThat(table.newest().manifests()).anyMatch(manifest -> !manifest.removed().isEmpty());
        append();
        // Version 3 has the row group, and version 4 does not
        assertThat(expire(3).rowGroups()).isZero();
        table.checkReadable(states);
        table.checkNoGarbage();
        assertThat(expire(2).rowGroups()).isEqualTo(1);
        table.checkReadable(states);
        table.checkNoGarbage();
    }

    @Test
    void testNothingToExpire()
            throws IOException
    {
        append();
        append();
        Set<String> before = files(fileSystem, table.paths().folder()).keySet();
        assertThat(warehouse.expireVersions(load(), table.created().version().time().minus(Duration.ofDays(1)), 1)).isEqualTo(ExpiryResult.NOTHING);
        assertThat(expire(3)).isEqualTo(ExpiryResult.NOTHING);
        assertThat(expire(Integer.MAX_VALUE)).isEqualTo(ExpiryResult.NOTHING);
        assertThat(files(fileSystem, table.paths().folder()).keySet()).isEqualTo(before);
    }

    @Test
    void testRetainLast()
            throws IOException
    {
        for (int i = 0; i < 9; i++) {
            append();
        }
        assertThat(expire(4).versions()).isEqualTo(6);
        assertThat(table.newest().isExpired(6)).isTrue();
        assertThat(table.newest().isExpired(7)).isFalse();
        table.checkReadable(states);
        table.checkNoGarbage();
    }

    @Test
    void testWriterStallsBeforeItsPut()
            throws IOException
    {
        append();
        RowGroup rowGroup = table.rowGroup();
        Warehouse writer = stalling(isPut(3), () -> {
            appendTo(10);
            assertThat(expire(2).versions()).isEqualTo(8);
        }, false, false);
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
        Warehouse writer = stalling(isPut(3), () -> {
            appendTo(10);
            assertThat(expire(2).versions()).isEqualTo(8);
        }, true, true);
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
        Warehouse writer = stalling(isPut(3), () -> {
            appendTo(10);
            expire(2);
        }, false, true);
        assertThat(writer.append(load(), rows(rowGroup), ReadSet.BLIND).version().version()).isEqualTo(12);
        assertThat(load().rowGroups()).hasSize(11).extracting(RowGroup::id).containsOnlyOnce(rowGroup.id());
    }

    @Test
    void testStaleHints()
            throws IOException
    {
        Map<Long, byte[]> hints = new HashMap<>();
        for (long version = 2; version <= 12; version++) {
            append();
            hints.put(version, table.file(table.paths().hint()));
        }
        expire(3);
        for (byte[] hint : hints.values()) {
            overwrite(fileSystem, table.paths().hint().toString(), hint);
            assertThat(table.newest().version()).isEqualTo(13);
        }
        fileSystem.deleteFile(table.paths().hint());
        assertThat(table.newest().version()).isEqualTo(13);
        overwrite(fileSystem, table.paths().hint().toString(), hints.get(2L));
        append();
        assertThat(table.newest().version()).isEqualTo(14);
        table.checkNoGarbage();
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

    /**
     * A file that is being replaced may be empty for a moment, on file systems that do not overwrite atomically.
     */
    @Test
    void testIncompleteStub()
            throws IOException
    {
        appendTo(6);
        expire(2);
        for (int length : new int[] {0, 1, 50, table.file(table.paths().version(3)).length - 1}) {
            byte[] stub = table.file(table.paths().version(3));
            overwrite(fileSystem, table.paths().version(3).toString(), Arrays.copyOf(stub, length));
            append();
            expire(1);
            expire(1);
            table.checkReadable(states);
            overwrite(fileSystem, table.paths().version(3).toString(), stub);
        }
        table.checkNoGarbage();
    }

    @Test
    void testReaderWithinTheRetention()
            throws IOException
    {
        append();
        awaitClock();
        append();
        AlbisTable reader = load();
        awaitClock();
        warehouse.truncate(load());
        TableVersion replacement = table.newest();
        append();
        // The version is old, but it was replaced only now
        warehouse.expireVersions(load(), replacement.time().minusMillis(1), 1);
        assertThat(table.isStub(1)).isTrue();
        assertThat(table.isStub(2)).isTrue();
        assertThat(table.newest().isExpired(3)).isFalse();
        assertThat(rowGroupIds(table.at(3))).isEqualTo(rowGroupIds(reader));
        table.checkReadable(states);
        table.checkNoGarbage();
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
            fill(contested, other);
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

    @Test
    void testBaseOfAWriterExpires()
            throws IOException
    {
        RowGroup rowGroup = table.rowGroup();
        warehouse.append(load(), rows(rowGroup), ReadSet.BLIND);
        AlbisTable base = load();
        AlbisTable changed = warehouse.change(base, table.delete(rowGroup, 1), WHERE);
        warehouse.change(changed, table.delete(changed.rowGroups().stream().filter(found -> found.id().equals(rowGroup.id())).findFirst().orElseThrow(), 2), WHERE);
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
        RowGroup current = changed.rowGroups().stream().filter(found -> found.id().equals(rowGroup.id())).findFirst().orElseThrow();
        RowGroup again = warehouse.change(changed, table.delete(current, 2), WHERE).rowGroups().stream().filter(found -> found.id().equals(rowGroup.id())).findFirst().orElseThrow();
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

    /**
     * The clock of the writers is a year behind, so that the times of versions are long ago. The time of the storage
     * still says that they are new.
     */
    @Test
    void testClockGoesBackward()
            throws IOException
    {
        appendTo(5);
        Instant yearAgo = Instant.now().minus(Duration.ofDays(365));
        for (long number = 1; number <= 5; number++) {
            TableVersion version = table.at(number).version();
            table.write(new TableVersion(version.uuid(), number, version.commitId(), version.previous(), yearAgo.plusMillis(number), version.operation(), version.summary(), version.name(), version.warehouse(), version.explicitLocation(), version.schemaId(), version.columns(), version.columnGroups(), version.properties(), version.comment(), version.manifests(), version.features(), version.writerFeatures(), version.lastColumnId(), version.tags(), version.expired()));
        }
        assertThat(warehouse.expireVersions(load(), Instant.now().minus(Duration.ofDays(7)), 1)).isEqualTo(ExpiryResult.NOTHING);
        assertThat(table.newest().version()).isEqualTo(5);
        // A clock that is ahead only keeps versions for longer
        TableVersion ahead = table.newest().next(UUID.randomUUID(), Instant.now().plus(Duration.ofDays(365)));
        table.write(ahead);
        append();
        assertThat(table.newest().time()).isAfter(ahead.time());
        warehouse.expireVersions(load(), Instant.now().plus(Duration.ofDays(1)), 1);
        assertThat(table.newest().isExpired(4)).isTrue();
        assertThat(table.newest().isExpired(5)).isFalse();
        table.checkReadable(states);
        table.checkNoGarbage();
    }

    @Test
    void testNewestVersionIsLost()
            throws IOException
    {
        appendTo(10);
        expire(3);
        assertThat(table.newest().version()).isEqualTo(11);
        AlbisTable known = load();
        fileSystem.deleteFile(table.paths().version(11));
        Map<String, byte[]> before = files(fileSystem, table.paths().folder());
        assertLost(() -> load(), "version 11 is missing, and the newest version that exists is 10");
        assertLost(() -> warehouse.expireVersions(known, future(), 1), "version 11 is missing, and the newest version that exists is 10");
        assertThat(files(fileSystem, table.paths().folder()).keySet()).isEqualTo(before.keySet());
        // Nothing but stubs is left: each of them says that there was a later version
        fileSystem.deleteFile(table.paths().hint());
        for (long version = 8; version <= 10; version++) {
            fileSystem.deleteFile(table.paths().version(version));
        }
        assertLost(() -> load(), "version 7 has expired, but no later version exists. Restore the file");
    }

    @Test
    @Timeout(300)
    void testRandomHistories()
            throws IOException
    {
        long seed = new Random().nextLong();
        System.out.println("Seed of TestExpiry: " + seed);
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

    private void fill(MaintainedTable contested, Warehouse other)
    {
        RowGroup rowGroup = contested.rowGroup();
        AlbisTable base = other.append(contested.created(), rows(rowGroup), ReadSet.BLIND);
        other.change(base, contested.delete(rowGroup, 3), WHERE);
        other.truncate(base);
        for (int i = 0; i < 3; i++) {
            other.append(base, rows(contested.rowGroup()), ReadSet.BLIND);
        }
    }

    private AlbisTable load()
    {
        return warehouse.loadTable("s", "t").orElseThrow();
    }

    private void append()
    {
        AlbisTable appended = warehouse.append(table.created(), rows(table.rowGroup()), ReadSet.BLIND);
        states.put(appended.version().version(), new HashSet<>(rowGroupIds(appended)));
    }

    private void appendTo(long version)
    {
        while (table.newest().version() < version) {
            append();
        }
    }

    /**
     * Expires all versions but the last ones.
     */
    private ExpiryResult expire(int retainLast)
    {
        return warehouse.expireVersions(table.created(), future(), retainLast);
    }

    private static Instant future()
    {
        return Instant.now().plus(Duration.ofDays(1));
    }

    /**
     * Waits until a file that is written now is later than those that exist.
     */
    private static void awaitClock()
    {
        Instant end = Instant.now().plusMillis(5);
        while (!Instant.now().isAfter(end)) {
            Thread.onSpinWait();
        }
    }

    private Predicate<Operation> isPut(long version)
    {
        return operation -> operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().equals(table.paths().version(version));
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

    private static void assertLost(Runnable action, String message)
    {
        assertThatThrownBy(action::run)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(message)
                .cause()
                .isInstanceOf(AlbisDataException.class);
    }
}
