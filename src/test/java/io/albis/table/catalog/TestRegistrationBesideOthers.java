package io.albis.table.catalog;

import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.Warehouse;
import io.albis.table.model.NewTable;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;
import io.albis.table.name.NameEntry;
import io.albis.table.put.SmallFiles;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.maintenance.MaintainedTable.stall;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.INVALID_DEFINITION;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_EMPTY;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_FOUND;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tables lose their names and get others beside statements that stall at any point.
 */
@Timeout(300)
final class TestRegistrationBesideOthers
        extends BaseRegistrationTest
{
    private static final Location ENTRY = Location.of("memory:///warehouse/s/tables/c/00000000000000000001.json");

    // Of a CREATE TABLE that has stalled
    private byte[] entry;

    /**
     * A registration can rescue the rows of a CREATE TABLE that has died between its version and its entry. If it has
     * only stalled, its name refers to nothing.
     */
    @Test
    void testCreateTableStallsBeforeItsEntry()
    {
        NewTable created = warehouse.newTable("s", "c", DEFINITION);
        Warehouse stalled = warehouse(new HookedFileSystem(fileSystem, Hook.stallAt(Kind.CREATE_EXCLUSIVE, "/s/tables/c", () ->
                warehouse.maintenance().registerTable("s", "rescued", created.folder().toString()))));
        stalled.createTable(created, rows(row));
        assertThat(load(warehouse, "s", "rescued").rowGroups()).containsExactly(row);
        assertThat(warehouse.loadTable("s", "c")).isEmpty();
        assertThat(warehouse.listTables("s")).containsExactlyInAnyOrder("t", "rescued");
    }

    /**
     * The second attempt of a CREATE TABLE stalls, and others register the table of the first one with the same name
     * and use it.
     */
    @Test
    void testSecondAttemptToCreateARegisteredTable()
    {
        AtomicReference<NewTable> created = new AtomicReference<>();
        AtomicBoolean used = new AtomicBoolean();
        AtomicInteger uses = new AtomicInteger();
        RowGroup added = oneRow();
        stallEverywhere(
                () -> {
                    created.set(warehouse.newTable("s", "c", DEFINITION));
                    used.set(false);
                    Warehouse failing = warehouse(new HookedFileSystem(fileSystem, Hook.failAt(Kind.CREATE_EXCLUSIVE, "/s/tables/c")));
                    assertRefused(OUTCOME_UNKNOWN, () -> failing.createTable(created.get(), rows(row)));
                },
                client -> {
                    client.createTable(created.get(), rows(oneRow()));
                    assertThat(used).isFalse();
                },
                () -> {
                    warehouse.maintenance().registerTable("s", "c", created.get().folder().toString());
                    warehouse.append(load(warehouse, "s", "c"), rows(added), ReadSet.BLIND);
                    used.set(true);
                    uses.incrementAndGet();
                });
        assertThat(uses).hasPositiveValue();
    }

    /**
     * An old RENAME must not give the table its name after it was unregistered or registered again.
     */
    @Test
    void testRenameStalls()
    {
        stallEverywhere(
                client -> client.renameTable(table, "s", "renamed"),
                () -> {
                    tryAll(() -> unregister(warehouse, "t"), () -> unregister(warehouse, "renamed"));
                    assertNames();
                });
        stallEverywhere(
                client -> client.renameTable(table, "s", "renamed"),
                () -> {
                    tryAll(() -> unregister(warehouse, "t"), () -> unregister(warehouse, "renamed"));
                    register(warehouse, "registered", table);
                    assertNames("registered");
                });
    }

    @Test
    void testUnregisterStalls()
    {
        stallEverywhere(client -> client.maintenance().unregisterTable(table), () -> warehouse.append(table, rows(oneRow()), ReadSet.BLIND));
        stallEverywhere(client -> client.maintenance().unregisterTable(table), () -> warehouse.renameTable(table, "s", "renamed"));
        stallEverywhere(client -> client.maintenance().unregisterTable(table), () -> warehouse.dropTable(table));
        stallEverywhere(client -> client.maintenance().unregisterTable(table), () -> unregister(warehouse, "t"));
        stallEverywhere(client -> client.maintenance().unregisterTable(table), () -> {
            unregister(warehouse, "t");
            register(warehouse, "t", table);
        });
    }

    @Test
    void testRegistrationStalls()
    {
        testRegistrationStalls(() -> unregister(warehouse, "t"));
    }

    @Test
    void testRegistrationOfALostTableStalls()
    {
        testRegistrationStalls(() -> warehouse.dropDamagedTable("s", "t", new NameEntry("s", 1)));
    }

    private void testRegistrationStalls(Runnable prepare)
    {
        stallEverywhere(prepare, client -> register(client, "u", table), () -> register(warehouse, "v", table));
        stallEverywhere(prepare, client -> register(client, "u", table), () -> register(warehouse, "u", table));
        stallEverywhere(prepare, client -> register(client, "u", table), () -> createTable(warehouse, "s", "u"));
        stallEverywhere(prepare, client -> register(client, "u", table), () -> {
            register(warehouse, "v", table);
            unregister(warehouse, "v");
        });
        stallEverywhere(prepare, client -> register(client, "u", table), () -> {
            register(warehouse, "v", table);
            warehouse.dropTable(load(warehouse, "s", "v"));
        });
        stallEverywhere(prepare, client -> client.maintenance().registerTable("z", "u", table.folder().toString()), () -> warehouse.dropSchema("z"));
    }

    /**
     * A CREATE TABLE has stalled between its version and its entry, and goes on beside the registration. Its table
     * keeps its name if anybody has changed it under this name.
     */
    @Test
    void testRegistrationStallsBesideCreateTable()
    {
        stallEverywhere(this::stallCreateTable, client -> register(client, "u", table), this::finishCreateTable);
        AtomicBoolean inserted = new AtomicBoolean();
        stallEverywhere(
                () -> {
                    stallCreateTable();
                    inserted.set(false);
                },
                client -> {
                    boolean registered = tryAll(() -> register(client, "u", table));
                    if (inserted.get()) {
                        assertThat(registered).isFalse();
                        assertThat(load(warehouse, "s", "c").rowGroups()).hasSize(2);
                    }
                },
                () -> {
                    finishCreateTable();
                    warehouse.append(load(warehouse, "s", "c"), rows(oneRow()), ReadSet.BLIND);
                    inserted.set(true);
                });
    }

    /**
     * Leaves what a CREATE TABLE has put before its entry.
     */
    private void stallCreateTable()
    {
        table = createTable(warehouse, "s", "c", row);
        try {
            entry = SmallFiles.read(fileSystem, ENTRY).orElseThrow();
            fileSystem.deleteFile(ENTRY);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void finishCreateTable()
    {
        try {
            fileSystem.newOutputFile(ENTRY).createExclusive(entry);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void stallEverywhere(Consumer<Warehouse> statement, Runnable others)
    {
        stallEverywhere(() -> {}, statement, others);
    }

    /**
     * Stalls a statement before each of its operations, while others act. In the end, the table has at most one name.
     */
    private void stallEverywhere(Runnable prepare, Consumer<Warehouse> statement, Runnable others)
    {
        AtomicBoolean reached = new AtomicBoolean(true);
        int position = 0;
        while (reached.get()) {
            reached.set(false);
            setUp();
            prepare.run();
            Warehouse stalling = warehouse(new HookedFileSystem(fileSystem, stall(position, () -> {
                reached.set(true);
                tryAll(others);
            })));
            boolean done = tryAll(() -> statement.accept(stalling));
            if (!reached.get()) {
                assertThat(done).isTrue();
            }
            checkAtMostOneName();
            position++;
        }
        assertThat(position).isGreaterThan(5);
    }

    private void checkAtMostOneName()
    {
        int names = 0;
        for (String schema : new String[] {"s", "z"}) {
            for (String name : warehouse.listTables(schema)) {
                Optional<AlbisTable> loaded = warehouse.loadTable(schema, name);
                if (loaded.isPresent() && loaded.get().uuid().equals(table.uuid())) {
                    names++;
                    assertThat(rowGroupIds(loaded.get())).contains(row.id());
                    TableVersion version = loaded.get().version();
                    assertThat(version.isUnregistered()).isFalse();
                    assertThat(version.name().orElseThrow().tableName()).isEqualTo(name);
                }
            }
        }
        assertThat(names).isLessThanOrEqualTo(1);
        if (names == 0) {
            try {
                register(warehouse, "last", table);
                assertThat(rowGroupIds(load(warehouse, "s", "last"))).contains(row.id());
            }
            catch (TableException e) {
                assertThat(e.getMessage()).contains("was dropped");
            }
        }
    }

    private void assertNames(String... names)
    {
        for (String name : new String[] {"t", "renamed", "registered"}) {
            assertThat(warehouse.loadTable("s", name).isPresent()).as(name).isEqualTo(List.of(names).contains(name));
        }
    }

    /**
     * Runs statements, each of which may be refused.
     *
     * @return whether all of them were successful
     */
    private static boolean tryAll(Runnable... statements)
    {
        boolean done = true;
        for (Runnable statement : statements) {
            try {
                statement.run();
            }
            catch (TableException e) {
                assertThat(e.reason()).as(e.getMessage()).isIn(CONFLICT, TABLE_NOT_FOUND, ALREADY_EXISTS, SCHEMA_NOT_FOUND, SCHEMA_NOT_EMPTY, INVALID_DEFINITION);
                done = false;
            }
            catch (NoSuchElementException e) {
                // The table does not have the name
                done = false;
            }
        }
        return done;
    }
}
