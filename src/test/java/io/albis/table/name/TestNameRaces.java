package io.albis.table.name;

import com.google.common.collect.ImmutableMap;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.model.NewTable;
import io.albis.table.model.TableException;
import io.albis.table.put.SmallFiles;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.localWarehouse;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * One client stalls just before it removes a name, or repeats the request because the first response was lost. Other
 * clients use the name in the meantime.
 */
final class TestNameRaces
{
    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse other = warehouse(fileSystem);
    private final RowGroup row = oneRow();

    @BeforeEach
    void setUp()
    {
        other.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    @Test
    void testDropStalls()
    {
        AlbisTable dropped = createTable(other, "s", "t");
        stalledAt("/s/tables/t", this::createAndInsert).dropTable(dropped);
        assertTable("t");
    }

    @Test
    void testTwoCreatesFindTheSameDroppedTable()
            throws IOException
    {
        leaveDropped();
        // The stalled client gets an error because the name is taken
        assertThatThrownBy(() -> createTable(stalledAt("/s/tables/t", this::createAndInsert), "s", "t"))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(TableException.Reason.ALREADY_EXISTS));
        assertTable("t");
    }

    @Test
    void testRequestIsRepeated()
    {
        AlbisTable dropped = createTable(other, "s", "t");
        warehouse(new HookedFileSystem(fileSystem, new HookedFileSystem.Hook()
        {
            @Override
            public void after(Operation operation)
                    throws IOException
            {
                if (takesAway(operation) && operation.location().toString().contains("/s/tables/")) {
                    Optional<byte[]> put = SmallFiles.read(fileSystem, operation.location());
                    createAndInsert(other);
                    // The client library receives no response and retries
                    if (operation.kind() == Kind.DELETE) {
                        fileSystem.deleteFile(operation.location());
                    }
                    else {
                        assertThatThrownBy(() -> fileSystem.newOutputFile(operation.location()).createExclusive(put.orElseThrow()))
                                .isInstanceOf(FileAlreadyExistsException.class);
                    }
                }
            }
        })).dropTable(dropped);
        assertTable("t");
    }

    @Test
    void testRenameStallsAndOthersRenameBack()
    {
        AlbisTable table = createTable(other, "s", "t", row);
        stalledAt("/s/tables/t", warehouse -> warehouse.renameTable(load(warehouse, "s", "u"), "s", "t"))
                .renameTable(table, "s", "u");
        assertTable("t");
        assertThat(other.loadTable("s", "u")).isEmpty();
        assertThat(other.listTables("s")).containsExactly("t");
    }

    @Test
    void testReadThatPutsRightACrashedDropStalls()
            throws IOException
    {
        leaveDropped();
        Warehouse reader = stalledAt("/s/tables/t", this::createAndInsert);
        reader.loadTable("s", "t");
        assertTable("t");
        assertThat(load(reader, "s", "t").rowGroups()).containsExactly(row);
    }

    @Test
    void testDropOfSchemaStalls()
    {
        assertThatThrownBy(() -> stalledAt("/s/.schema", warehouse -> {
            warehouse.dropSchema("s");
            warehouse.createSchema("s", Optional.of("memory:///elsewhere"), ImmutableMap.of());
            createAndInsert(warehouse);
        }).dropSchema("s")).isInstanceOf(TableException.class);
        assertThat(other.getSchema("s").orElseThrow().location()).isEqualTo(Location.of("memory:///elsewhere"));
        assertTable("t");
    }

    @Test
    void testDropOfEmptySchemaStalls()
    {
        assertThatThrownBy(() -> stalledAt("/s/.schema", warehouse -> {
            warehouse.dropSchema("s");
            warehouse.createSchema("s", Optional.of("memory:///elsewhere"), ImmutableMap.of());
        }).dropSchema("s"))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(TableException.Reason.SCHEMA_NOT_FOUND));
        assertThat(other.getSchema("s").orElseThrow().location()).isEqualTo(Location.of("memory:///elsewhere"));
    }

    @Test
    void testDropOfDamagedTableRemovesOnlyWhatItSaw()
            throws IOException
    {
        for (String file : List.of("tables/t/00000000000000000001.json", "versions/00000000000000000001.json")) {
            AlbisTable damaged = createTable(other, "s", "t");
            String location = (file.startsWith("tables") ? Location.of("memory:///warehouse/s") : damaged.folder()).appendPath(file).toString();
            overwrite(fileSystem, location, new byte[1]);
            NameEntry entry = unreadableEntry();
            // Another client was faster, and the name now refers to a valid table
            other.dropDamagedTable("s", "t", entry);
            createAndInsert(other);
            assertThatThrownBy(() -> other.dropDamagedTable("s", "t", entry))
                    .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(TableException.Reason.TABLE_NOT_FOUND));
            assertTable("t");
            other.dropTable(load(other, "s", "t"));
            fileSystem.deleteDirectory(Location.of("memory:///warehouse/s/tables"));
        }
    }

    private NameEntry unreadableEntry()
    {
        try {
            other.loadTable("s", "t");
        }
        catch (UnreadableTableException e) {
            assertThat(e).hasCauseInstanceOf(AlbisDataException.class);
            return e.entry();
        }
        throw new AssertionError("The table is sound");
    }

    /**
     * Rows that other clients insert into the table stay, even if the schema is dropped while the table is being
     * created.
     */
    @Test
    void testOthersUseATableWhoseSchemaGoes()
    {
        NewTable newTable = other.newTable("s", "t", DEFINITION);
        boolean[] done = new boolean[1];
        Warehouse creating = warehouse(new HookedFileSystem(fileSystem, new HookedFileSystem.Hook()
        {
            @Override
            public void before(Operation operation)
            {
                if (!done[0] && operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().toString().contains("/s/tables/t")) {
                    done[0] = true;
                    other.dropSchema("s");
                }
            }

            @Override
            public void after(Operation operation)
            {
                if (operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().toString().contains("/s/tables/t")) {
                    // This client has found the schema before it was dropped
                    other.append(other.loadTableVersion("s", "t", newTable.folder(), newTable.uuid(), 1), rows(row), ReadSet.BLIND);
                }
            }
        }));
        assertThatThrownBy(() -> creating.createTable(newTable, rows()))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(TableException.Reason.OUTCOME_UNKNOWN));
        other.createSchema("s", Optional.empty(), ImmutableMap.of());
        assertTable("t");
    }

    @Test
    void testCreateIsTakenBackIfTheSchemaGoes()
    {
        boolean[] done = new boolean[1];
        Warehouse creating = warehouse(new HookedFileSystem(fileSystem, new HookedFileSystem.Hook()
        {
            @Override
            public void before(Operation operation)
            {
                if (!done[0] && operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().toString().contains("/s/tables/t")) {
                    done[0] = true;
                    other.dropSchema("s");
                }
            }
        }));
        assertThatThrownBy(() -> createTable(creating, "s", "t"))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(TableException.Reason.SCHEMA_NOT_FOUND));
        assertThat(other.loadTable("s", "t")).isEmpty();
        other.createSchema("s", Optional.empty(), ImmutableMap.of());
        assertThat(other.listTables("s")).isEmpty();
    }

    /**
     * A client dies during a RENAME into a schema that is dropped at the same time. The table remains accessible.
     */
    @Test
    void testRenameDiesAndTheSchemaGoes()
    {
        other.createSchema("gone", Optional.empty(), ImmutableMap.of());
        AlbisTable table = createTable(other, "s", "t", row);
        Warehouse dying = warehouse(new HookedFileSystem(fileSystem, new HookedFileSystem.Hook()
        {
            private boolean dead;

            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (dead) {
                    throw new IOException("Dead");
                }
                if (operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().toString().contains("/gone/tables/u")) {
                    other.dropSchema("gone");
                }
            }

            @Override
            public void after(Operation operation)
            {
                dead |= operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().toString().contains("/gone/tables/u");
            }
        }));
        assertThatThrownBy(() -> dying.renameTable(table, "gone", "u"))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(TableException.Reason.OUTCOME_UNKNOWN));
        assertThat(other.loadTable("gone", "u")).isEmpty();
        assertTable("t");
        assertThat(other.loadTable("gone", "u")).isEmpty();
        // The RENAME is completed if the schema is created again
        other.createSchema("gone", Optional.empty(), ImmutableMap.of());
        assertThat(rowGroupIds(load(other, "gone", "u"))).containsExactly(row.id());
        assertThat(other.loadTable("s", "t")).isEmpty();
        assertThat(other.listTables("s")).isEmpty();
    }

    /**
     * Lists names while temporary files of puts are created and deleted.
     */
    @Test
    @Timeout(120)
    void testListingsOnTheLocalFileSystem(@TempDir Path root)
            throws Exception
    {
        Warehouse local = localWarehouse(root, "local:///warehouse");
        local.createSchema("s", Optional.empty(), ImmutableMap.of());
        createTable(local, "s", "kept");
        AtomicBoolean done = new AtomicBoolean();
        try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
            List<Future<?>> writers = new ArrayList<>();
            for (String name : List.of("a", "b")) {
                writers.add(executor.submit(() -> {
                    for (int i = 0; i < 100; i++) {
                        local.dropTable(createTable(local, "s", name));
                    }
                    done.set(true);
                }));
            }
            while (!done.get() && writers.stream().noneMatch(Future::isDone)) {
                assertThat(local.listTables("s")).contains("kept");
                assertThat(local.listSchemas()).containsExactly("s");
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        }
        assertThat(local.listTables("s")).containsExactly("kept");
    }

    private void createAndInsert(Warehouse warehouse)
    {
        AlbisTable created = createTable(warehouse, "s", "t");
        warehouse.append(created, rows(row), ReadSet.BLIND);
    }

    private void assertTable(String name)
    {
        assertThat(other.loadTable("s", name)).as("table %s", name).isPresent();
        assertThat(rowGroupIds(load(other, "s", name))).containsExactly(row.id());
        assertThat(other.listTables("s")).containsExactly(name);
    }

    /**
     * Leaves the name t of a dropped table behind, as a client does that dies before removing the name.
     */
    private void leaveDropped()
            throws IOException
    {
        AlbisTable table = createTable(other, "s", "t");
        Warehouse dying = warehouse(new HookedFileSystem(fileSystem, new HookedFileSystem.Hook()
        {
            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (takesAway(operation) && operation.location().toString().contains("/s/tables/t")) {
                    throw new IOException("Dead");
                }
            }
        }));
        dying.dropTable(table);
    }

    /**
     * Returns a client that stalls once, before it removes a name with this location.
     */
    private Warehouse stalledAt(String location, Consumer<Warehouse> others)
    {
        TrinoFileSystem stalled = new HookedFileSystem(fileSystem, new HookedFileSystem.Hook()
        {
            private boolean done;

            @Override
            public void before(Operation operation)
            {
                if (!done && takesAway(operation) && operation.location().toString().contains(location)) {
                    done = true;
                    others.accept(other);
                }
            }
        });
        return warehouse(stalled);
    }

    private static boolean takesAway(Operation operation)
    {
        return operation.kind() == Kind.DELETE || (operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().fileName().matches("\\d*[02468]\\.json"));
    }
}
