package io.albis.table;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.model.TableException;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.FileMayHaveAlreadyExistedException;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.StorageFaults.everyFault;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.ids;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Storage fails at a single operation, or at all operations from one on, as if the process had died there. The table
 * keeps its old state or gets its new one, and no client is told the wrong outcome.
 */
class TestStorageFaults
{
    private static final int APPENDS_BEFORE = 7;

    private final RowGroup oldRow = oneRow();
    private final RowGroup newRow = oneRow();

    @Test
    @Timeout(120)
    void testAppend()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.append(load(warehouse, "s", "t"), rows(newRow), ReadSet.BLIND),
                (warehouse, outcome) -> {
                    Set<UUID> rows = rowGroupIds(load(warehouse, "s", "t"));
                    assertThat(rows).contains(oldRow.id());
                    outcome.check(rows.contains(newRow.id()));
                    assertThat(rows).hasSize(rows.contains(newRow.id()) ? 1 + APPENDS_BEFORE + 1 : 1 + APPENDS_BEFORE);
                });
    }

    @Test
    @Timeout(120)
    void testCreate()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> createTable(warehouse, "s", "new", newRow),
                (warehouse, outcome) -> {
                    Optional<AlbisTable> table = warehouse.loadTable("s", "new");
                    outcome.check(table.isPresent());
                    table.ifPresent(created -> assertThat(created.rowGroups()).containsExactly(newRow));
                    assertThat(warehouse.listTables("s").contains("new")).isEqualTo(table.isPresent());
                });
    }

    @Test
    @Timeout(120)
    void testDrop()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.dropTable(load(warehouse, "s", "t")),
                (warehouse, outcome) -> {
                    Optional<AlbisTable> table = warehouse.loadTable("s", "t");
                    outcome.check(table.isEmpty());
                    if (table.isEmpty()) {
                        // The name is free, whether or not its entry was ended
                        createTable(warehouse, "s", "t", newRow);
                        assertThat(load(warehouse, "s", "t").rowGroups()).containsExactly(newRow);
                    }
                    else {
                        assertThat(rowGroupIds(table.get())).hasSize(1 + APPENDS_BEFORE);
                        warehouse.dropTable(table.get());
                    }
                });
    }

    @Test
    @Timeout(120)
    void testRename()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.renameTable(load(warehouse, "s", "t"), "s", "u"),
                (warehouse, outcome) -> {
                    // Look up the old name first: both names may refer to the table until a client looks up the new one
                    boolean underOldName = warehouse.loadTable("s", "t").isPresent();
                    Optional<AlbisTable> renamed = warehouse.loadTable("s", "u");
                    outcome.check(renamed.isPresent());
                    assertThat(underOldName || renamed.isPresent()).isTrue();
                    String name = renamed.isPresent() ? "u" : "t";
                    String other = renamed.isPresent() ? "t" : "u";
                    assertThat(warehouse.loadTable("s", other)).isEmpty();
                    warehouse.append(load(warehouse, "s", name), rows(newRow), ReadSet.BLIND);
                    assertThat(rowGroupIds(load(warehouse, "s", name))).hasSize(1 + APPENDS_BEFORE + 1).contains(newRow.id());
                    // The other name is free
                    createTable(warehouse, "s", other);
                    assertThat(warehouse.listTables("s")).containsExactlyInAnyOrder("t", "u");
                    warehouse.dropTable(load(warehouse, "s", "t"));
                    warehouse.dropTable(load(warehouse, "s", "u"));
                    warehouse.dropSchema("s");
                });
    }

    @Test
    @Timeout(120)
    void testCreateAndDropSchema()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.createSchema("new", Optional.empty(), ImmutableMap.of()),
                (warehouse, outcome) -> {
                    outcome.check(warehouse.getSchema("new").isPresent());
                    assertThat(warehouse.listSchemas().contains("new")).isEqualTo(warehouse.getSchema("new").isPresent());
                });
        everyFault(
                this::prepared,
                warehouse -> warehouse.dropSchema("empty"),
                (warehouse, outcome) -> {
                    if (outcome == StorageFaults.Outcome.SUCCESS) {
                        assertThat(warehouse.getSchema("empty")).isEmpty();
                    }
                });
    }

    /**
     * The commit succeeds, and a reader finds it without the hint.
     */
    @Test
    void testHintThatFails()
            throws IOException
    {
        MemoryFileSystem fileSystem = prepared();
        Warehouse warehouse = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
            {
                if (operation.location().toString().endsWith("/hint")) {
                    throw new IllegalStateException("403 of a client that has exceptions of its own");
                }
            }
        }));
        warehouse.append(load(warehouse, "s", "t"), rows(newRow), ReadSet.BLIND);
        assertThat(rowGroupIds(load(warehouse, "s", "t"))).contains(newRow.id()).hasSize(1 + APPENDS_BEFORE + 1);
    }

    static List<IOException> reportsOfPut()
    {
        return List.of(new IOException("Timeout"), new FileMayHaveAlreadyExistedException("Who knows", null));
    }

    /**
     * Whatever the put of a version reports, the existing file determines the outcome.
     */
    @ParameterizedTest
    @MethodSource("reportsOfPut")
    void testSomebodyElseWasFirst(IOException report)
            throws IOException
    {
        MemoryFileSystem fileSystem = prepared();
        Warehouse other = warehouse(fileSystem);
        RowGroup othersRow = oneRow();
        Hook hook = new Hook()
        {
            private boolean done;

            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (!done && operation.kind() == Kind.CREATE_EXCLUSIVE) {
                    done = true;
                    other.append(load(other, "s", "t"), rows(othersRow), ReadSet.BLIND);
                    throw report;
                }
            }
        };
        Warehouse warehouse = warehouse(new HookedFileSystem(fileSystem, hook));
        warehouse.append(load(warehouse, "s", "t"), rows(newRow), ReadSet.BLIND);
        assertThat(rowGroupIds(load(other, "s", "t"))).containsAll(ids(List.of(oldRow, othersRow, newRow))).hasSize(1 + APPENDS_BEFORE + 2);
    }

    @Test
    void testLateRename()
            throws IOException
    {
        // Two processes died after putting the new names
        MemoryFileSystem fileSystem = prepared();
        for (String name : List.of("u", "v")) {
            Warehouse dying = warehouse(new HookedFileSystem(fileSystem, new Hook()
            {
                private boolean dead;

                @Override
                public void before(Operation operation)
                        throws IOException
                {
                    dead |= operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().toString().contains("/versions/");
                    if (dead) {
                        throw new IOException("Dead");
                    }
                }
            }));
            expectFailure(() -> dying.renameTable(load(dying, "s", "t"), "s", name));
        }
        Warehouse warehouse = warehouse(fileSystem);
        assertThat(warehouse.listTables("s")).containsExactlyInAnyOrder("t", "u", "v");
        assertThat(rowGroupIds(load(warehouse, "s", "t"))).hasSize(1 + APPENDS_BEFORE);
        // The first new name that is looked up becomes the name of the table
        assertThat(rowGroupIds(load(warehouse, "s", "v"))).hasSize(1 + APPENDS_BEFORE);
        assertThat(warehouse.loadTable("s", "u")).isEmpty();
        assertThat(warehouse.loadTable("s", "t")).isEmpty();
        warehouse.renameTable(load(warehouse, "s", "v"), "s", "u");
        warehouse.renameTable(load(warehouse, "s", "u"), "s", "t");
        assertThat(warehouse.listTables("s")).containsExactlyInAnyOrder("t");
        assertThat(rowGroupIds(load(warehouse, "s", "t"))).hasSize(1 + APPENDS_BEFORE);
    }

    private MemoryFileSystem prepared()
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        Warehouse warehouse = warehouse(fileSystem);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        warehouse.createSchema("empty", Optional.empty(), ImmutableMap.of());
        AlbisTable table = createTable(warehouse, "s", "t", oldRow);
        // The next append has manifests to merge
        for (int i = 0; i < APPENDS_BEFORE; i++) {
            table = warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
        }
        return fileSystem;
    }

    private static void expectFailure(Runnable operation)
    {
        try {
            operation.run();
        }
        catch (TableException | UncheckedIOException e) {
            return;
        }
        fail("It did not fail");
    }
}
