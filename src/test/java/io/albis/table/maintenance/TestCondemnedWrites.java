package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.model.NewTable;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet;
import io.albis.table.row.RowChange;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * No commit adds files of writes that were condemned.
 */
class TestCondemnedWrites
        extends BaseOrphanTest
{
    /**
     * The files of a write are kept as long as one of them is young.
     */
    @Test
    void testSlowWriteWithYoungFiles()
            throws IOException
    {
        AlbisTable base = load();
        UUID write = UUID.randomUUID();
        RowGroup first = rowGroupOf(write);
        awaitClock();
        Instant between = Instant.now();
        awaitClock();
        RowGroup second = rowGroupOf(write);
        assertThat(removeOrphans(between).deletedFiles()).isZero();
        warehouse.append(base, rows(first, second), ReadSet.BLIND);
        table.checkReadable(states);
    }

    @Test
    void testSlowWriteIsRefused()
            throws IOException
    {
        AlbisTable base = load();
        RowGroup slow = table.rowGroup();
        RowGroup deleted = base.rowGroups().getFirst();
        RowChange change = table.delete(deleted, 0);
        RowChange both = new RowChange(rows(slow), change.deletes(), ImmutableSet.of(), OVERWRITE);
        removeOrphans();
        assertThat(exists(slow)).isFalse();
        // Once what was condemned is forgotten, and once all of these versions have expired
        for (int round = 0; round < 3; round++) {
            assertThatThrownBy(() -> warehouse.append(base, rows(slow), ReadSet.BLIND))
                    .hasMessage("This statement ran for so long that remove_orphan_files has removed files that it has written. Retry the statement, or use a longer retention");
            assertRefused(CONFLICT, () -> warehouse.append(base, rows(slow), ReadSet.BLIND));
            assertRefused(CONFLICT, () -> warehouse.change(base, change, WHERE));
            assertRefused(CONFLICT, () -> warehouse.change(base, both, WHERE));
            assertRefused(CONFLICT, () -> warehouse.replaceTable(base, DEFINITION, rows(slow), false));
            append();
            if (round == 1) {
                expire(1);
            }
            removeOrphans();
            table.checkReadable(states);
        }
        table.checkNoGarbage();
        // A statement that began later, and one without files
        append();
        warehouse.truncate(base);
        table.checkReadable(states);
    }

    /**
     * The base version of a write has a tag, so it outlives the version that has condemned the files.
     */
    @Test
    void testBaseOfASlowWriteHasATag()
            throws IOException
    {
        append();
        AlbisTable base = load();
        append();
        createTag(warehouse, 2);
        RowGroup slow = table.rowGroup();
        removeOrphans();
        append();
        expire(1);
        removeOrphans();
        assertThat(table.newest().isExpired(2)).isFalse();
        assertThat(condemned().writes()).isEmpty();
        assertRefused(CONFLICT, () -> warehouse.append(base, rows(slow), ReadSet.BLIND));
        table.checkReadable(states);
    }

    /**
     * A part of the files of a write was committed, and the others belong to attempts that failed.
     */
    @Test
    void testOtherFilesOfACommittedWrite()
            throws IOException
    {
        UUID write = UUID.randomUUID();
        RowGroup committed = rowGroupOf(write);
        RowGroup other = rowGroupOf(write);
        AlbisTable base = warehouse.append(load(), rows(committed), ReadSet.BLIND);
        removeOrphans();
        assertThat(exists(other)).isFalse();
        table.checkReadable(states);
        table.checkNoGarbage();
        // The entry of the row group moves to another manifest, and back
        warehouse.change(base, table.delete(committed, 3), WHERE);
        for (int i = 0; i < 8; i++) {
            append();
        }
        warehouse.rollback(load(), 2);
        assertThat(rowGroupIds(load())).contains(committed.id());
        table.checkReadable(states);
        table.checkNoGarbage();
    }

    /**
     * The new column groups of an UPDATE are in the folder of a row group that remains.
     */
    @Test
    void testColumnGroupsOfASlowUpdate()
            throws IOException
    {
        RowGroup rowGroup = table.rowGroup();
        AlbisTable base = warehouse.append(load(), rows(rowGroup), ReadSet.BLIND);
        UUID write = UUID.randomUUID();
        RowChange slow = table.update(rowGroup, write);
        RowChange abandoned = table.update(rowGroup, write);
        assertThat(removeOrphans().deletedFiles()).isEqualTo(4);
        assertThat(exists(rowGroup)).isTrue();
        assertRefused(CONFLICT, () -> warehouse.change(base, slow, WHERE));
        assertRefused(CONFLICT, () -> warehouse.change(base, abandoned, WHERE));
        table.checkReadable(states);
        table.checkNoGarbage();
        AlbisTable updated = warehouse.change(load(), table.update(rowGroup, UUID.randomUUID()), WHERE);
        removeOrphans();
        assertThat(updated.rowGroups()).contains(load().rowGroups().getLast());
        table.checkReadable(states);
    }

    /**
     * An abandoned task goes on writing after its files were condemned.
     */
    @Test
    void testCondemnedWriteGoesOn()
            throws IOException
    {
        AlbisTable base = load();
        UUID write = UUID.randomUUID();
        rowGroupOf(write);
        removeOrphans();
        RowGroup later = rowGroupOf(write);
        RowGroup other = table.rowGroup();
        assertThat(removeOrphans(PAST).deletedFiles()).isEqualTo(4);
        assertThat(exists(later)).isFalse();
        assertThat(exists(other)).isTrue();
        assertThat(table.newest().version()).isEqualTo(2);
        assertRefused(CONFLICT, () -> warehouse.append(base, rows(later), ReadSet.BLIND));
    }

    /**
     * A listing that does not show all files, and shows one that does not exist.
     */
    @Test
    void testStaleListing()
            throws IOException
    {
        AlbisTable base = load();
        UUID write = UUID.randomUUID();
        RowGroup first = rowGroupOf(write);
        RowGroup second = rowGroupOf(write);
        RowGroup gone = rowGroupOf(UUID.randomUUID());
        String hidden = RowGroup.folder(base.folder(), second.id()).path();
        warehouse(new PartialListing(fileSystem, location -> !location.path().startsWith(hidden), () -> table.remove(gone))).removeOrphans(base, future());
        assertThat(exists(first)).isFalse();
        assertThat(exists(second)).isTrue();
        assertRefused(CONFLICT, () -> warehouse.append(base, rows(second), ReadSet.BLIND));
        // Nothing is committed or deleted if the listing fails
        Map<String, byte[]> before = files(fileSystem, base.folder());
        Warehouse failing = warehouse(new PartialListing(fileSystem, _ -> {
            throw new UncheckedIOException(new IOException("throttled"));
        }, () -> {}));
        assertThatThrownBy(() -> failing.removeOrphans(base, future())).isInstanceOf(UncheckedIOException.class);
        assertThat(files(fileSystem, base.folder()).keySet()).isEqualTo(before.keySet());
        removeOrphans();
        table.checkNoGarbage();
    }

    /**
     * The clock of the storage goes backward, so only the manifests and combined bitmaps of a write look old. The
     * write makes them again.
     */
    @Test
    void testOnlyManifestsAreCondemned()
            throws IOException
    {
        RowGroup first = table.rowGroup();
        AlbisTable base = warehouse.append(load(), rows(first), ReadSet.BLIND);
        RowChange change = table.delete(first, 3);
        warehouse.change(base, table.delete(first, 5), WHERE);
        // The bitmap that combines both
        stallBeforePut(client -> client.change(base, change, WHERE), () -> createTag(warehouse, 1), file -> file.path().contains("/deletes/") && !DeletedRows.location(base.folder(), change.deletes().get(first.id()).file()).path().equals(file.path()));
        assertThat(load().rowCount()).isEqualTo(1 + 8);
        AlbisTable newest = load();
        RowGroup added = table.rowGroup();
        stallBeforePut(client -> client.append(newest, rows(added), ReadSet.BLIND), this::append, file -> file.path().contains("/manifests/"));
        assertThat(rowGroupIds(load())).contains(added.id());
        AlbisTable replaced = load();
        RowGroup replacing = table.rowGroup();
        stallBeforePut(client -> client.replaceTable(replaced, DEFINITION, TableRows.withoutSketches(ImmutableList.of(replacing)), false), this::append, file -> file.path().contains("/manifests/"));
        assertThat(rowGroupIds(load())).containsExactly(replacing.id());
        removeOrphans();
        table.checkReadable(states);
        table.checkNoGarbage();
    }

    /**
     * Another client commits and removes the orphans that a listing shows before the first put of a statement.
     */
    private void stallBeforePut(Consumer<Warehouse> statement, Runnable other, Predicate<Location> visible)
            throws IOException
    {
        AtomicBoolean done = new AtomicBoolean();
        statement.accept(warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
            {
                if (operation.kind() == Kind.CREATE_EXCLUSIVE && done.compareAndSet(false, true)) {
                    other.run();
                    warehouse(new PartialListing(fileSystem, visible, () -> {})).removeOrphans(table.created(), Instant.now().plusSeconds(1));
                    assertThat(condemned().writes()).isNotEmpty();
                }
            }
        })));
        assertThat(done).isTrue();
        table.checkReadable(states);
        // The second removal forgets what the first one has condemned
        removeAll(warehouse, table);
    }

    /**
     * The engine retries a CREATE TABLE AS. Its first attempt has created a version, and somebody removes the files of
     * the second one.
     */
    @Test
    void testSecondAttemptToCreate()
    {
        NewTable newTable = warehouse.newTable("s", "u", DEFINITION);
        Warehouse failing = warehouse(new HookedFileSystem(fileSystem, Hook.failAt(Kind.CREATE_EXCLUSIVE, "/tables/u/")));
        RowGroup first = table.rowGroup();
        assertRefused(OUTCOME_UNKNOWN, () -> failing.createTable(newTable, rows(first)));
        AlbisTable created = warehouse.loadTableVersion("s", "u", newTable.folder(), newTable.uuid(), 1);
        RowGroup second = table.rowGroup();
        try {
            write(second.dataFile(newTable.folder(), second.columnGroups().getFirst()));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (int round = 0; round < 2; round++) {
            warehouse.removeOrphans(created, future());
            assertRefused(CONFLICT, () -> warehouse.createTable(newTable, rows(second)));
            assertThatThrownBy(() -> warehouse.createTable(newTable, rows(second)))
                    .hasMessageContaining("the table was then changed");
        }
        assertThat(warehouse.loadTable("s", "u")).isEmpty();
    }
}
