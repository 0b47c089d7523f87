package io.albis.table;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.model.TableException;
import io.albis.table.path.NumberedFiles;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

import static io.albis.table.StorageFaults.everyFault;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.viewDefinition;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_EMPTY;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Storage fails at each operation of a rename of a schema, or of another statement about a schema that is renamed,
 * before or after it took effect. Afterwards, exactly one of the two names exists, and has all tables.
 */
@Timeout(600)
@Tag("slow")
final class TestSchemaRenameFaults
{
    private final RowGroup row = oneRow();
    private int runs;

    @Test
    void testRename()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.renameSchema("a", "b"),
                (warehouse, outcome) -> {
                    outcome.check(isRenamed(warehouse));
                    useNames(warehouse);
                });
    }

    @Test
    void testCompletion()
            throws IOException
    {
        testWhileUndecided(warehouse -> warehouse.renameSchema("a", "b"), true);
        testWhileUndecided(unless(SCHEMA_NOT_FOUND, warehouse -> warehouse.renameSchema("a", "c")), true);
        testWhileUndecided(unless(SCHEMA_NOT_FOUND, warehouse -> warehouse.dropSchema("a")), true);
        testWhileUndecided(unless(ALREADY_EXISTS, warehouse -> warehouse.createSchema("a", Optional.empty(), ImmutableMap.of())), false);
        testWhileUndecided(warehouse -> load(warehouse, "a", "x"), false);
    }

    private void testWhileUndecided(Consumer<Warehouse> statement, boolean completes)
            throws IOException
    {
        everyFault(
                this::undecided,
                statement,
                (warehouse, outcome) -> {
                    boolean renamed = isRenamed(warehouse);
                    if (outcome == StorageFaults.Outcome.SUCCESS) {
                        assertThat(renamed).isEqualTo(completes);
                    }
                    useNames(warehouse);
                });
    }

    /**
     * Another schema gets the new name, so the rename fails and the schema is restored.
     */
    @Test
    void testFailedRename()
            throws IOException
    {
        everyFault(
                () -> {
                    MemoryFileSystem fileSystem = undecided();
                    createSchema(warehouse(fileSystem), "b");
                    return fileSystem;
                },
                unless(ALREADY_EXISTS, warehouse -> warehouse.renameSchema("a", "b")),
                (warehouse, _) -> {
                    assertThat(warehouse.listTables("b")).isEmpty();
                    assertTables(warehouse, "a");
                    warehouse.dropSchema("b");
                    assertTables(warehouse, "a");
                    warehouse.renameSchema("a", "b");
                    useNames(warehouse);
                });
    }

    /**
     * The new name is taken while the rename is undecided.
     */
    @Test
    void testCreateOfNewSchema()
            throws IOException
    {
        everyFault(
                this::undecided,
                warehouse -> createSchema(warehouse, "b"),
                (warehouse, outcome) -> {
                    outcome.check(warehouse.schemaExists("b"));
                    assertTables(warehouse, "a");
                    if (warehouse.schemaExists("b")) {
                        assertThat(warehouse.listTables("b")).isEmpty();
                        assertRefused(ALREADY_EXISTS, () -> warehouse.renameSchema("a", "b"));
                        warehouse.dropSchema("b");
                    }
                    assertTables(warehouse, "a");
                });
    }

    /**
     * A schema is created with the old name, and dropped.
     */
    @Test
    void testOldName()
            throws IOException
    {
        everyFault(
                this::renamed,
                warehouse -> createSchema(warehouse, "a"),
                (warehouse, outcome) -> {
                    outcome.check(warehouse.schemaExists("a"));
                    assertThat(warehouse.listTables("a")).isEmpty();
                    assertTables(warehouse, "b");
                    useOldName(warehouse);
                });
        everyFault(
                () -> {
                    MemoryFileSystem fileSystem = renamed();
                    createSchema(warehouse(fileSystem), "a");
                    return fileSystem;
                },
                warehouse -> warehouse.dropSchema("a"),
                (warehouse, outcome) -> {
                    outcome.check(!warehouse.schemaExists("a"));
                    assertTables(warehouse, "b");
                    useOldName(warehouse);
                });
    }

    /**
     * Tables of a schema that was renamed are created and dropped, and the schema is dropped.
     */
    @Test
    void testNewName()
            throws IOException
    {
        everyFault(
                this::renamed,
                warehouse -> createTable(warehouse, "b", "y", row),
                (warehouse, outcome) -> {
                    outcome.check(warehouse.loadTable("b", "y").isPresent());
                    warehouse.loadTable("b", "y").ifPresent(warehouse::dropTable);
                    assertTables(warehouse, "b");
                });
        everyFault(
                this::renamed,
                warehouse -> warehouse.dropTable(load(warehouse, "b", "x")),
                (warehouse, outcome) -> {
                    outcome.check(warehouse.loadTable("b", "x").isEmpty());
                    assertThat(warehouse.schemaExists("b")).isTrue();
                });
        everyFault(
                this::renamed,
                unless(SCHEMA_NOT_EMPTY, warehouse -> warehouse.dropSchema("b")),
                (warehouse, _) -> assertTables(warehouse, "b"));
        everyFault(
                () -> {
                    MemoryFileSystem fileSystem = renamed();
                    Warehouse quiet = warehouse(fileSystem);
                    quiet.dropTable(load(quiet, "b", "x"));
                    quiet.dropTable(load(quiet, "b", "v"));
                    return fileSystem;
                },
                warehouse -> warehouse.dropSchema("b"),
                (warehouse, outcome) -> {
                    outcome.check(!warehouse.schemaExists("b"));
                    assertThat(warehouse.schemaExists("a")).isFalse();
                    if (!warehouse.schemaExists("b")) {
                        createSchema(warehouse, "b");
                    }
                    createSchema(warehouse, "a");
                    createTable(warehouse, "b", "x", row);
                    assertThat(warehouse.listTables("b")).containsExactly("x");
                    assertThat(warehouse.listTables("a")).isEmpty();
                });
    }

    private static Consumer<Warehouse> unless(TableException.Reason reason, Consumer<Warehouse> statement)
    {
        return warehouse -> {
            try {
                statement.accept(warehouse);
            }
            catch (TableException e) {
                if (e.reason() != reason) {
                    throw e;
                }
            }
        };
    }

    private boolean isRenamed(Warehouse warehouse)
    {
        boolean renamed = warehouse.schemaExists("b");
        assertThat(warehouse.schemaExists("a")).isEqualTo(!renamed);
        assertThat(warehouse.listSchemas()).containsExactly(renamed ? "b" : "a");
        assertTables(warehouse, renamed ? "b" : "a");
        String other = renamed ? "a" : "b";
        assertThat(warehouse.listTables(other)).isEmpty();
        assertThat(warehouse.loadTable(other, "x")).isEmpty();
        assertThat(warehouse.getSchema(other)).isEmpty();
        return renamed;
    }

    private void assertTables(Warehouse warehouse, String schema)
    {
        assertThat(warehouse.schemaExists(schema)).isTrue();
        assertThat(warehouse.getSchema(schema)).isPresent();
        assertThat(warehouse.listTables(schema)).containsExactlyInAnyOrder("x", "v");
        assertThat(load(warehouse, schema, "x").rowGroups()).containsExactly(row);
        assertThat(load(warehouse, schema, "v").version().isView()).isTrue();
        assertThat(warehouse.maintenance().findLostTables(Optional.empty()))
                .noneMatch(lost -> lost.location().equals(load(warehouse, schema, "x").folder()));
    }

    /**
     * Uses the names in different ways, by a client that is not interrupted.
     */
    private void useNames(Warehouse warehouse)
    {
        runs++;
        if (!warehouse.schemaExists("b")) {
            switch (runs % 3) {
                case 0 -> {
                    // The name was not taken, or the interrupted rename fails
                    createSchema(warehouse, "b");
                    assertTables(warehouse, "a");
                    warehouse.renameSchema("b", "c");
                    warehouse.dropSchema("c");
                }
                case 1 -> {
                    try {
                        warehouse.renameSchema("a", "c");
                        warehouse.renameSchema("c", "a");
                    }
                    catch (TableException e) {
                        // Completes the rename to b
                        assertThat(e.reason()).isEqualTo(SCHEMA_NOT_FOUND);
                        assertThat(warehouse.schemaExists("b")).isTrue();
                    }
                }
                default -> createTable(warehouse, "a", "y", row);
            }
        }
        if (warehouse.schemaExists("a")) {
            warehouse.renameSchema("a", "b");
            warehouse.loadTable("b", "y").ifPresent(warehouse::dropTable);
        }
        assertThat(isRenamed(warehouse)).isTrue();
        useOldName(warehouse);
    }

    private void useOldName(Warehouse warehouse)
    {
        if (!warehouse.schemaExists("a")) {
            createSchema(warehouse, "a");
        }
        assertThat(warehouse.listTables("a")).isEmpty();
        RowGroup other = oneRow();
        createTable(warehouse, "a", "x", other);
        assertThat(load(warehouse, "a", "x").rowGroups()).containsExactly(other);
        assertTables(warehouse, "b");
        warehouse.dropTable(load(warehouse, "a", "x"));
        warehouse.dropSchema("a");
        assertTables(warehouse, "b");
    }

    private static void createSchema(Warehouse warehouse, String name)
    {
        warehouse.createSchema(name, Optional.empty(), ImmutableMap.of());
    }

    private MemoryFileSystem renamed()
    {
        MemoryFileSystem fileSystem = prepared();
        warehouse(fileSystem).renameSchema("a", "b");
        return fileSystem;
    }

    /**
     * A client dies before it puts the entry of the new name.
     */
    private MemoryFileSystem undecided()
    {
        MemoryFileSystem fileSystem = prepared();
        Warehouse dying = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            private boolean dead;

            @Override
            public void before(Operation operation)
                    throws IOException
            {
                dead |= operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().toString().endsWith("/b/.schema/" + NumberedFiles.fileName(1));
                if (dead) {
                    throw new IOException("Dead");
                }
            }
        }));
        assertRefused(OUTCOME_UNKNOWN, () -> dying.renameSchema("a", "b"));
        return fileSystem;
    }

    private MemoryFileSystem prepared()
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        Warehouse warehouse = warehouse(fileSystem);
        createSchema(warehouse, "a");
        createTable(warehouse, "a", "x", row);
        warehouse.views().create("a", "v", viewDefinition(), Optional.empty(), Optional.empty());
        return fileSystem;
    }
}
