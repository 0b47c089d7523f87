package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.TestTier;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.model.NewTable;
import io.albis.table.model.TableException.Reason;
import io.albis.table.model.TableRows;
import io.albis.table.path.TablePaths;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.maintenance.MaintainedTable.stall;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.INVALID_DEFINITION;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Vacuum runs beside statements that stall at any point. Each table that has a name keeps its files.
 */
@Timeout(1200)
final class TestVacuumBesideOthers
        extends BaseVacuumTest
{
    // A table, a load that has written its row groups, and a table that was unregistered
    private AlbisTable table;
    private NewTable load;
    private RowGroup loaded;
    private AlbisTable unregistered;
    // What has happened before
    private Statement prepared = _ -> {};

    private interface Statement
    {
        void run(Warehouse client);
    }

    private final Statement create = client -> client.createTable(load, rows(loaded));
    private final Statement createEmpty = client -> client.createTable(load, TableRows.NONE);
    private final Statement drop = client -> client.dropTable(table);
    private final Statement insert = client -> client.append(table, rows(rowGroup(table.folder())), ReadSet.BLIND);
    private final Statement rename = client -> client.renameTable(table, "s", "renamed");
    private final Statement truncate = client -> client.truncate(table);
    private final Statement replace = client -> client.replaceTable(table, DEFINITION, TableRows.withoutSketches(ImmutableList.of(rowGroup(table.folder()))), false);
    private final Statement expire = client -> client.expireVersions(table, future(), 1);
    private final Statement removeOrphans = client -> client.removeOrphans(table, future());
    private final Statement unregister = client -> client.maintenance().unregisterTable(table);
    private final Statement register = client -> client.maintenance().registerTable("s", "registered", unregistered.folder().toString());
    private final Statement createOther = client -> client.createTable(client.newTable("s", "t", DEFINITION), TableRows.NONE);
    private final Statement dropSchema = client -> client.dropSchema("s");
    private final Statement vacuum = BaseVacuumTest::vacuum;
    private final Statement rescue = client -> client.maintenance().registerTable("s", "rescued", load.folder().toString());
    private final Statement rollBack = client -> {
        if (client.abandonTable(load)) {
            delete(loaded);
        }
    };

    private void prepare()
    {
        setUp();
        table = create("t");
        unregistered = create("unregistered");
        warehouse.maintenance().unregisterTable(unregistered);
        load = newTable("load");
        loaded = rowGroup(load.folder());
        // A table that anybody can vacuum
        warehouse.dropTable(create("dropped"));
    }

    /**
     * The load is refused, or vacuum leaves its files alone.
     */
    @Test
    void testCreateTableStalls()
    {
        assertThat(stallEverywhere(create, vacuum)).isGreaterThan(5);
        stallEverywhere(create, vacuum, vacuum);
        stallEverywhere(create, create, vacuum);
        stallEverywhere(create, createEmpty, vacuum);
        stallEverywhere(create, create, client -> client.dropTable(load(client, "s", "load")), vacuum);
        stallEverywhere(createEmpty, vacuum);
        stallEverywhere(create, client -> client.maintenance().registerTable("s", "rescued", load.folder().toString()), vacuum);
    }

    /**
     * A CREATE TABLE AS has put its version, failed to put its name, and removes its row groups.
     */
    @Test
    void testRollbackOfCreateTableStalls()
    {
        Statement failed = _ -> failToCreate();
        prepared = failed;
        assertThat(stallEverywhere(rollBack, vacuum)).isGreaterThan(5);
        stallEverywhere(rollBack, rescue, vacuum);
        stallEverywhere(rollBack, rescue, client -> client.dropTable(load(client, "s", "rescued")), vacuum);
        stallEverywhere(rollBack, rescue, client -> client.maintenance().unregisterTable(load(client, "s", "rescued")), vacuum);
        stallEverywhere(rollBack, rescue, client -> client.append(load(client, "s", "rescued"), rows(rowGroup(load.folder())), ReadSet.BLIND));
        stallEverywhere(rollBack, client -> client.maintenance().registerTable("s", "load", load.folder().toString()), vacuum);
        stallEverywhere(rescue, rollBack, vacuum);
        stallEverywhere(vacuum, rollBack);
        stallEverywhere(create, rescue, vacuum);
        stallEverywhere(create, client -> client.maintenance().registerTable("s", "load", load.folder().toString()), vacuum);
        prepared = _ -> {};
        stallEverywhere(rollBack, vacuum);
        stallEverywhere(vacuum, rollBack);
    }

    @Test
    void testStatementsOnADroppedTableStall()
    {
        for (Statement statement : ImmutableList.of(insert, rename, truncate, replace, expire, removeOrphans, unregister, drop)) {
            stallEverywhere(statement, drop, vacuum);
            stallEverywhere(statement, drop, createOther, vacuum);
            stallEverywhere(statement, vacuum, drop);
        }
    }

    @Test
    void testRegistrationStalls()
    {
        stallEverywhere(register, vacuum);
        stallEverywhere(register, register, client -> client.dropTable(load(client, "s", "registered")), vacuum);
        stallEverywhere(unregister, vacuum);
        stallEverywhere(unregister, unregister, vacuum);
        stallEverywhere(dropSchema, vacuum);
    }

    @Test
    void testVacuumStalls()
    {
        assertThat(stallEverywhere(vacuum, create)).isGreaterThan(20);
        stallEverywhere(vacuum, createEmpty);
        stallEverywhere(vacuum, drop);
        stallEverywhere(vacuum, drop, createOther);
        stallEverywhere(vacuum, rename);
        stallEverywhere(vacuum, insert, expire);
        stallEverywhere(vacuum, unregister);
        stallEverywhere(vacuum, register);
        stallEverywhere(vacuum, create, client -> client.dropTable(load(client, "s", "load")));
        stallEverywhere(vacuum, client -> client.dropTable(load(client, "s", "t")), client -> client.createSchema("other", Optional.empty(), ImmutableMap.of()));
    }

    @Test
    void testTwoVacuums()
    {
        stallEverywhere(vacuum, vacuum);
        stallEverywhere(vacuum, drop, vacuum);
        stallEverywhere(vacuum, create, vacuum);
        stallEverywhere(vacuum, vacuum, create);
    }

    /**
     * Runs a CREATE TABLE AS that fails after its version was put, with a known outcome.
     */
    private void failToCreate()
    {
        TablePaths paths = new TablePaths(load.folder());
        Warehouse failing = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (operation.kind() == Kind.LIST && operation.location().path().contains("/tables/load") && fileSystem.newInputFile(paths.version(1)).exists()) {
                    throw new IOException("Listing fails");
                }
            }
        }));
        assertThatThrownBy(() -> failing.createTable(load, rows(loaded))).hasMessageContaining("Listing fails");
    }

    private void delete(RowGroup rowGroup)
    {
        try {
            fileSystem.deleteDirectory(RowGroup.folder(load.folder(), rowGroup.id()));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int stallEverywhere(Statement statement, Statement... others)
    {
        Random random = new Random();
        int position = 0;
        AtomicBoolean reached = new AtomicBoolean(true);
        while (reached.get()) {
            reached.set(false);
            prepare();
            prepared.run(warehouse);
            List<Boolean> created = new ArrayList<>();
            Warehouse stalling = warehouse(new HookedFileSystem(fileSystem, stall(position, () -> {
                reached.set(true);
                for (Statement other : others) {
                    created.add(runAndCheck(other, warehouse));
                }
            })));
            try {
                runAndCheck(statement, stalling);
                check();
            }
            catch (AssertionError | RuntimeException e) {
                throw new AssertionError("The statement stalled at step " + position, e);
            }
            position += TestTier.isComplete() ? 1 : 1 + random.nextInt(3);
        }
        return position;
    }

    private boolean runAndCheck(Statement statement, Warehouse client)
    {
        Optional<Reason> refusal = Optional.empty();
        try {
            refusal = tryRun(() -> statement.run(client));
        }
        catch (NoSuchElementException e) {
            // No table has the name
            return false;
        }
        refusal.ifPresent(reason -> assertThat(reason).isIn(CONFLICT, TABLE_NOT_FOUND, ALREADY_EXISTS, INVALID_DEFINITION, Reason.SCHEMA_NOT_EMPTY, Reason.SCHEMA_NOT_FOUND));
        if (refusal.isEmpty() && (statement == create || statement == createEmpty)) {
            assertThat(warehouse.loadTable("s", "load").or(() -> warehouse.loadTable("s", "rescued")).isPresent() || wasDropped()).isTrue();
        }
        checkNames();
        return refusal.isEmpty();
    }

    private boolean wasDropped()
    {
        return tryRun(() -> warehouse.maintenance().registerTable("s", "probe", load.folder().toString())).isPresent();
    }

    private void checkNames()
    {
        for (String name : warehouse.listTables("s")) {
            warehouse.loadTable("s", name).ifPresent(this::checkComplete);
        }
    }

    private void check()
    {
        checkNames();
        for (AlbisTable existing : new AlbisTable[] {table, unregistered}) {
            // A table that was unregistered is complete
            tryRun(() -> checkComplete(warehouse.maintenance().registerTable("s", "check" + existing.uuid(), existing.folder().toString())));
        }
        // So is one that a failed statement has left
        tryRun(() -> checkComplete(warehouse.maintenance().registerTable("s", "left", load.folder().toString())));
        vacuum(warehouse);
        checkNames();
        vacuum(warehouse);
        assertThat(warehouse.maintenance().vacuumDryRun(Optional.empty(), future()).freed()).isEmpty();
        // All names can be used
        for (String name : ImmutableList.copyOf(warehouse.listTables("s"))) {
            warehouse.loadTable("s", name).ifPresent(existing -> {
                RowGroup added = rowGroup(existing.folder());
                AlbisTable appended = warehouse.append(existing, TableRows.withoutSketches(ImmutableList.of(added)), ReadSet.BLIND);
                assertThat(rowGroupIds(appended)).contains(added.id());
                checkComplete(appended);
            });
        }
    }

    /**
     * Loads, drops, and vacuums in any order, with stalls.
     */
    @Test
    void testRandomHistories()
    {
        long seed = new Random().nextLong();
        System.out.println("Seed of TestVacuumBesideOthers: " + seed);
        Random random = new Random(seed);
        for (int history = 0; history < 5; history++) {
            runHistory(random);
        }
    }

    private void runHistory(Random random)
    {
        setUp();
        List<NewTable> loads = new ArrayList<>();
        List<RowGroup> rowGroups = new ArrayList<>();
        List<AlbisTable> unnamed = new ArrayList<>();
        for (int step = 0; step < 80; step++) {
            Warehouse client = random.nextBoolean() ? warehouse : warehouse(new HookedFileSystem(fileSystem, stall(random.nextInt(40), () -> vacuum(warehouse))));
            String name = "t" + random.nextInt(3);
            Optional<AlbisTable> existing = warehouse.loadTable("s", name);
            switch (random.nextInt(8)) {
                case 0, 1 -> {
                    NewTable begun = newTable(name);
                    loads.add(begun);
                    rowGroups.add(rowGroup(begun.folder()));
                }
                case 2, 3 -> {
                    if (!loads.isEmpty()) {
                        int index = random.nextInt(loads.size());
                        NewTable begun = loads.get(index);
                        RowGroup written = rowGroups.get(index);
                        tryRun(() -> client.createTable(begun, rows(written)));
                    }
                }
                case 4 -> existing.ifPresent(found -> tryRun(() -> client.dropTable(found)));
                case 5 -> existing.ifPresent(found -> tryRun(() -> {
                    client.maintenance().unregisterTable(found);
                    unnamed.add(found);
                }));
                case 6 -> {
                    if (!unnamed.isEmpty()) {
                        AlbisTable found = unnamed.get(random.nextInt(unnamed.size()));
                        tryRun(() -> checkComplete(client.maintenance().registerTable("s", name, found.folder().toString())));
                    }
                }
                default -> vacuum(client);
            }
            checkNames();
        }
        vacuum(warehouse);
        vacuum(warehouse);
        assertThat(warehouse.maintenance().vacuumDryRun(Optional.empty(), future()).freed()).isEmpty();
        Set<String> names = Set.copyOf(warehouse.listTables("s"));
        names.forEach(found -> warehouse.loadTable("s", found).ifPresent(this::checkComplete));
    }
}
