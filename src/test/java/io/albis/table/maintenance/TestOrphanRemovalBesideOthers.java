package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.Warehouse;
import io.albis.table.alter.Change.CreateTag;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet;
import io.albis.table.row.RowChange;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.maintenance.MaintainedTable.stall;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableOperation.DELETE;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Orphans are removed beside statements that stall at any point, and each version that has not expired keeps its files.
 */
@Timeout(300)
class TestOrphanRemovalBesideOthers
        extends BaseOrphanTest
{
    /**
     * A statement that began at version 3 of the table, and whose files exist already.
     *
     * @param mine a row group that the statement may add
     */
    private record Begun(MaintainedTable table, AlbisTable base, RowGroup mine, RowChange delete)
    {
        static Begun begin(MemoryFileSystem storage)
        {
            MaintainedTable table = MaintainedTable.create(storage);
            Warehouse warehouse = warehouse(storage);
            RowGroup first = table.rowGroup();
            warehouse.append(table.created(), rows(first), ReadSet.BLIND);
            AlbisTable base = warehouse.append(table.created(), rows(table.rowGroup()), ReadSet.BLIND);
            // What a failed load has left, and a failed attempt of this statement
            table.rowGroup();
            UUID write = UUID.randomUUID();
            table.rowGroup(idOf(write));
            return new Begun(table, base, table.rowGroup(idOf(write)), table.delete(first, 3));
        }

        Set<UUID> deleted()
        {
            return delete.deletes().keySet();
        }
    }

    private interface Statement
    {
        void run(Warehouse client, Begun begun);
    }

    private static final Statement INSERT = (client, begun) -> client.append(begun.base(), rows(begun.mine()), ReadSet.BLIND);
    private static final Statement DELETE_ROW = (client, begun) -> client.change(begun.base(), begun.delete(), WHERE);
    private static final Statement UPDATE = (client, begun) -> client.change(begun.base(), new RowChange(rows(begun.mine()), begun.delete().deletes(), ImmutableSet.of(), OVERWRITE), WHERE);
    private static final Statement DELETE_ROW_GROUP = (client, begun) -> client.change(begun.base(), new RowChange(TableRows.NONE, ImmutableMap.of(), begun.deleted(), DELETE), WHERE);
    private static final Statement TRUNCATE = (client, begun) -> client.truncate(begun.base());
    private static final Statement ROLLBACK = (client, begun) -> client.rollback(begun.base(), 2);
    private static final Statement REPLACE = (client, begun) -> client.replaceTable(begun.base(), DEFINITION, TableRows.withoutSketches(ImmutableList.of(begun.mine())), false);
    private static final Statement CREATE_TAG = (client, begun) -> client.alter(begun.base(), new CreateTag(TAG, OptionalLong.of(2)));
    private static final Statement TAG_NEWEST = (client, begun) -> client.alter(begun.base(), new CreateTag(TAG, OptionalLong.empty()));
    private static final Statement EXPIRE = (client, begun) -> client.expireVersions(begun.base(), future(), 1);
    private static final Statement REMOVE = (client, begun) -> client.removeOrphans(begun.base(), future());
    // It deletes only what others have condemned
    private static final Statement COMPLETE = (client, begun) -> client.removeOrphans(begun.base(), PAST);

    @Test
    void testStatementsStall()
            throws IOException
    {
        for (Statement statement : ImmutableList.of(INSERT, DELETE_ROW, UPDATE, REPLACE)) {
            assertThat(stallEverywhere(statement, ImmutableList.of(REMOVE), true)).isGreaterThan(5);
            stallEverywhere(statement, ImmutableList.of(REMOVE, COMPLETE), true);
            stallEverywhere(statement, ImmutableList.of(REMOVE, REMOVE), true);
            stallEverywhere(statement, ImmutableList.of(REMOVE, EXPIRE, REMOVE), true);
        }
    }

    /**
     * These statements add no files, or only manifests, which they write again.
     */
    @Test
    void testStatementsWithoutFilesStall()
            throws IOException
    {
        for (Statement statement : ImmutableList.of(DELETE_ROW_GROUP, TRUNCATE, ROLLBACK, CREATE_TAG, EXPIRE)) {
            assertThat(stallEverywhere(statement, ImmutableList.of(REMOVE), false)).isGreaterThan(5);
            stallEverywhere(statement, ImmutableList.of(REMOVE, REMOVE), false);
        }
    }

    /**
     * The versions between the listing and the commit name files that the newest version no longer names.
     */
    @Test
    void testRemovalStalls()
            throws IOException
    {
        assertThat(stallEverywhere(REMOVE, ImmutableList.of(INSERT), true)).isGreaterThan(10);
        stallEverywhere(REMOVE, ImmutableList.of(INSERT, TRUNCATE), true);
        // A version that was added since and is older than all others that remain, apart from its tag
        stallEverywhere(REMOVE, ImmutableList.of(INSERT, TAG_NEWEST, TRUNCATE, EXPIRE), true);
        stallEverywhere(REMOVE, ImmutableList.of(UPDATE, ROLLBACK), true);
        stallEverywhere(REMOVE, ImmutableList.of(DELETE_ROW, EXPIRE), true);
        stallEverywhere(REMOVE, ImmutableList.of(TRUNCATE, EXPIRE, INSERT), true);
        stallEverywhere(REMOVE, ImmutableList.of(REPLACE, CREATE_TAG), true);
        stallEverywhere(REMOVE, ImmutableList.of(DELETE_ROW_GROUP, ROLLBACK), true);
    }

    @Test
    void testTwoRemovalsAtOnce()
            throws IOException
    {
        stallEverywhere(REMOVE, ImmutableList.of(REMOVE), false);
        stallEverywhere(REMOVE, ImmutableList.of(REMOVE, INSERT), true);
        stallEverywhere(REMOVE, ImmutableList.of(INSERT, REMOVE), true);
        stallEverywhere(COMPLETE, ImmutableList.of(REMOVE, REMOVE), false);
    }

    /**
     * @param mayConflict whether a statement may be refused because its files are condemned
     * @return number of operations of the statement
     */
    private static int stallEverywhere(Statement statement, ImmutableList<Statement> others, boolean mayConflict)
            throws IOException
    {
        int position = 0;
        AtomicBoolean reached = new AtomicBoolean(true);
        while (reached.get()) {
            reached.set(false);
            MemoryFileSystem storage = new MemoryFileSystem();
            Begun begun = Begun.begin(storage);
            Warehouse plain = warehouse(storage);
            Map<Long, Set<UUID>> states = new HashMap<>();
            Warehouse stalling = warehouse(new HookedFileSystem(storage, stall(position, () -> {
                reached.set(true);
                for (Statement other : others) {
                    runAndCheck(other, plain, begun, states, mayConflict, plain);
                }
            })));
            runAndCheck(statement, stalling, begun, states, mayConflict, plain);
            begun.table().checkReadable(states);
            removeAll(plain, begun.table());
            plain.expireVersions(begun.base(), future(), 2);
            removeAll(plain, begun.table());
            begun.table().checkReadable(states);
            begun.table().checkNoGarbage();
            plain.append(plain.loadTable("s", "t").orElseThrow(), TableRows.withoutSketches(ImmutableList.of(begun.table().rowGroup())), ReadSet.BLIND);
            begun.table().checkReadable(states);
            position++;
        }
        return position;
    }

    private static void runAndCheck(Statement statement, Warehouse client, Begun begun, Map<Long, Set<UUID>> states, boolean mayConflict, Warehouse plain)
    {
        try {
            statement.run(client, begun);
        }
        catch (TableException e) {
            assertThat(mayConflict).as(e.getMessage()).isTrue();
            assertThat(e.reason()).as(e.getMessage()).isIn(CONFLICT);
        }
        AlbisTable newest = plain.loadTable("s", "t").orElseThrow();
        states.put(newest.version().version(), rowGroupIds(newest));
    }

    /**
     * Writes of several row groups begin at any time, and commit a part of them or nothing at any later time.
     */
    @Test
    void testRandomHistories()
            throws IOException
    {
        long seed = new Random().nextLong();
        System.out.println("Seed of TestOrphanRemovalBesideOthers: " + seed);
        Random random = new Random(seed);
        int committed = 0;
        for (int history = 0; history < 5; history++) {
            committed += runHistory(random);
        }
        assertThat(committed).isPositive();
    }

    private static int runHistory(Random random)
            throws IOException
    {
        MemoryFileSystem storage = new MemoryFileSystem();
        MaintainedTable table = MaintainedTable.create(storage);
        Warehouse plain = warehouse(storage);
        Map<Long, Set<UUID>> states = new HashMap<>();
        Map<UUID, AlbisTable> bases = new HashMap<>();
        Map<UUID, RowGroup> rowGroups = new HashMap<>();
        int committed = 0;
        for (int step = 0; step < 60; step++) {
            AlbisTable loaded = plain.loadTable("s", "t").orElseThrow();
            Warehouse client = random.nextBoolean() ? plain : warehouse(new HookedFileSystem(storage, stall(random.nextInt(30), () -> {
                if (random.nextBoolean()) {
                    plain.removeOrphans(loaded, random.nextBoolean() ? future() : Instant.now().minusMillis(20));
                }
                else {
                    plain.append(loaded, rows(table.rowGroup()), ReadSet.BLIND);
                    plain.truncate(loaded);
                }
                AlbisTable after = plain.loadTable("s", "t").orElseThrow();
                states.put(after.version().version(), rowGroupIds(after));
            })));
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    UUID write = UUID.randomUUID();
                    bases.put(write, loaded);
                    rowGroups.put(write, table.rowGroup(idOf(write)));
                    // Of an attempt that fails
                    table.rowGroup(idOf(write));
                }
                case 3, 4, 5 -> {
                    if (!bases.isEmpty()) {
                        UUID write = ImmutableList.copyOf(bases.keySet()).get(random.nextInt(bases.size()));
                        try {
                            client.append(bases.remove(write), rows(rowGroups.remove(write)), ReadSet.BLIND);
                            committed++;
                        }
                        catch (TableException e) {
                            assertThat(e.reason()).isEqualTo(CONFLICT);
                        }
                    }
                }
                case 6 -> client.removeOrphans(loaded, random.nextInt(3) == 0 ? future() : Instant.now().minusMillis(20));
                default -> client.expireVersions(loaded, future(), 1 + random.nextInt(4));
            }
            AlbisTable after = plain.loadTable("s", "t").orElseThrow();
            states.put(after.version().version(), rowGroupIds(after));
            table.checkReadable(states);
        }
        plain.expireVersions(table.created(), future(), 2);
        removeAll(plain, table);
        table.checkReadable(states);
        table.checkNoGarbage();
        return committed;
    }
}
