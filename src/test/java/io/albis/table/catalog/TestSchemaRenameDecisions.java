package io.albis.table.catalog;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.PausedClient;
import io.albis.table.PausedClient.Point;
import io.albis.table.Warehouse;
import io.albis.table.model.NewTable;
import io.albis.table.model.SchemaInfo;
import io.albis.table.model.TableException;
import io.albis.table.path.NumberedFiles;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Optional;
import java.util.function.Consumer;

import static io.albis.table.PausedClient.pause;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_EMPTY;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Statements about the old and the new name of a schema whose rename is not complete, and clients that stall while
 * others use the names again. The schema a with the table x is renamed to b.
 */
@Timeout(120)
final class TestSchemaRenameDecisions
{
    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);
    private final RowGroup row = oneRow();

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("a", Optional.of("memory:///own/a"), ImmutableMap.of("key", "value"));
        createTable(warehouse, "a", "x", row);
    }

    /**
     * Until the rename is decided, the schema works as if nobody had begun to rename it.
     */
    @Test
    void testUseWhileUndecided()
    {
        SchemaInfo schema = warehouse.getSchema("a").orElseThrow();
        leaveUndecided();
        assertThat(warehouse.getSchema("a")).contains(schema);
        assertThat(warehouse.getSchema("b")).isEmpty();
        assertTables("a", "x");
        createTable(warehouse, "a", "y", row);
        warehouse.renameTable(load(warehouse, "a", "y"), "a", "z");
        assertTables("a", "x", "z");
        assertRefused(SCHEMA_NOT_FOUND, () -> createTable(warehouse, "b", "y"));
        assertRefused(ALREADY_EXISTS, () -> createSchema("a"));
        createSchema("c");
        assertRefused(ALREADY_EXISTS, () -> warehouse.renameSchema("c", "a"));
        assertRefused(SCHEMA_NOT_FOUND, () -> warehouse.renameSchema("b", "d"));
        assertThat(warehouse.maintenance().findLostTables(Optional.empty())).isEmpty();
        assertThat(warehouse.listSchemas()).containsExactlyInAnyOrder("a", "c");
        // The same statement completes the rename
        warehouse.renameSchema("a", "b");
        assertThat(warehouse.getSchema("b").orElseThrow().location()).isEqualTo(schema.location());
        assertTables("b", "x", "z");
        assertThat(warehouse.listSchemas()).containsExactlyInAnyOrder("b", "c");
    }

    @Test
    void testOtherStatementsComplete()
    {
        leaveUndecided();
        assertRefused(SCHEMA_NOT_FOUND, () -> warehouse.renameSchema("a", "c"));
        assertTables("b", "x");
        warehouse.renameSchema("b", "a");
        pauseAndKill("b", 3, client -> client.renameSchema("a", "b"));
        assertRefused(SCHEMA_NOT_FOUND, () -> warehouse.dropSchema("a"));
        assertTables("b", "x");
        createSchema("a");
        assertTables("a");
    }

    /**
     * The client that was interrupted only seems to be dead. Others have completed its rename and have used both names
     * again.
     */
    @Test
    void testLateClientAfterCommit()
    {
        PausedClient renaming = pause(fileSystem, client -> client.renameSchema("a", "b"), put("/b/.schema/", 1));
        warehouse.renameSchema("a", "b");
        warehouse.renameSchema("b", "c");
        createSchema("a");
        createSchema("b");
        renaming.finish();
        assertThat(warehouse.listSchemas()).containsExactlyInAnyOrder("a", "b", "c");
        assertTables("a");
        assertTables("b");
        assertTables("c", "x");
    }

    /**
     * Another schema gets the new name first, so the schema keeps its old one. The client puts the entry of the old
     * name again.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testOtherSchemaGetsTheName(boolean renamed)
    {
        SchemaInfo schema = warehouse.getSchema("a").orElseThrow();
        createSchema("s");
        PausedClient renaming = pause(fileSystem, client -> client.renameSchema("a", "b"), put("/b/.schema/", 1));
        if (renamed) {
            warehouse.renameSchema("s", "b");
        }
        else {
            createSchema("b");
        }
        createTable(warehouse, "b", "x", row);
        assertTables("a", "x");
        assertRefused(ALREADY_EXISTS, renaming::finish);
        assertThat(warehouse.getSchema("a")).contains(schema);
        assertTables("a", "x");
        assertTables("b", "x");
        warehouse.renameSchema("a", "c");
        assertTables("c", "x");
        createSchema("a");
        assertTables("a");
    }

    /**
     * As above, but the other schema is dropped, so the statement starts again and succeeds.
     */
    @Test
    void testOtherSchemaIsDropped()
    {
        PausedClient renaming = pause(fileSystem, client -> client.renameSchema("a", "b"), put("/b/.schema/", 1));
        createSchema("b");
        warehouse.dropSchema("b");
        renaming.finish();
        assertThat(warehouse.listSchemas()).containsExactly("b");
        assertTables("b", "x");
    }

    /**
     * A client dies before it puts the entry of the old name again.
     */
    @Test
    void testSchemaThatIsNotRestored()
    {
        SchemaInfo schema = warehouse.getSchema("a").orElseThrow();
        for (int use = 0; use < 3; use++) {
            long number = 2L * use + 1;
            PausedClient renaming = pause(fileSystem, client -> client.renameSchema("a", "b"), put("/b/.schema/", number), put("/a/.schema/", number + 2));
            createSchema("b");
            renaming.advance();
            assertRefused(OUTCOME_UNKNOWN, renaming::kill);
            assertThat(warehouse.getSchema("a")).contains(schema);
            assertTables("a", "x");
            assertTables("b");
            assertRefused(ALREADY_EXISTS, () -> createSchema("a"));
            createTable(warehouse, "a", "y", row);
            warehouse.dropTable(warehouse.renameTable(load(warehouse, "a", "y"), "b", "y"));
            switch (use) {
                case 0 -> assertRefused(ALREADY_EXISTS, () -> warehouse.renameSchema("a", "b"));
                case 1 -> assertRefused(SCHEMA_NOT_EMPTY, () -> warehouse.dropSchema("a"));
                default -> {
                    warehouse.renameSchema("a", "c");
                    warehouse.renameSchema("c", "a");
                }
            }
            assertThat(warehouse.getSchema("a")).contains(schema);
            warehouse.dropSchema("b");
        }
        warehouse.renameSchema("a", "c");
        assertTables("c", "x");
        assertThat(warehouse.listSchemas()).containsExactly("c");
    }

    /**
     * A client that restores a schema is late: others have done so, and have used its name again.
     */
    @Test
    void testLateRestore()
    {
        PausedClient renaming = pause(fileSystem, client -> client.renameSchema("a", "b"), put("/b/.schema/", 1), put("/a/.schema/", 3));
        createSchema("b");
        renaming.advance();
        warehouse.renameSchema("a", "c");
        createSchema("a");
        assertRefused(ALREADY_EXISTS, renaming::finish);
        assertTables("a");
        assertTables("b");
        assertTables("c", "x");
    }

    /**
     * DROP SCHEMA has found no tables, and a rename of the schema is faster. If it is complete or can be completed, the
     * schema is gone. If it has failed, the schema is dropped.
     */
    @ParameterizedTest
    @ValueSource(strings = {"complete", "undecided", "failed"})
    void testDropDuringRename(String rename)
    {
        warehouse.dropTable(load(warehouse, "a", "x"));
        PausedClient dropping = pause(fileSystem, client -> client.dropSchema("a"), put("/a/.schema/", 2));
        switch (rename) {
            case "complete" -> warehouse.renameSchema("a", "b");
            case "undecided" -> leaveUndecided();
            default -> {
                leaveUndecided();
                createSchema("b");
            }
        }
        if (rename.equals("failed")) {
            dropping.finish();
        }
        else {
            assertRefused(SCHEMA_NOT_FOUND, dropping::finish);
        }
        assertThat(warehouse.listSchemas()).containsExactly("b");
        createSchema("a");
        createTable(warehouse, "a", "y", row);
        createTable(warehouse, "b", "z", row);
        assertTables("a", "y");
        assertTables("b", "z");
    }

    /**
     * A rename has put the marker of its tombstone, and DROP SCHEMA is faster.
     */
    @Test
    void testDropIsFaster()
    {
        warehouse.dropTable(load(warehouse, "a", "x"));
        PausedClient renaming = pause(fileSystem, client -> client.renameSchema("a", "b"), put("/a/.schema/", 2));
        warehouse.dropSchema("a");
        assertThat(warehouse.schemaExists("a")).isFalse();
        assertRefused(SCHEMA_NOT_FOUND, renaming::finish);
        createSchema("a");
        assertTables("a");
        createTable(warehouse, "a", "x", row);
        warehouse.renameSchema("a", "b");
        assertTables("b", "x");
    }

    /**
     * Two schemas are renamed to the same name.
     */
    @Test
    void testSameNewName()
    {
        createSchema("s");
        createTable(warehouse, "s", "t", row);
        PausedClient first = pause(fileSystem, client -> client.renameSchema("a", "b"), put("/b/.schema/", 1));
        PausedClient second = pause(fileSystem, client -> client.renameSchema("s", "b"), put("/b/.schema/", 1));
        first.finish();
        assertTables("s", "t");
        assertRefused(ALREADY_EXISTS, second::finish);
        assertTables("b", "x");
        assertTables("s", "t");
    }

    /**
     * A schema gets the old name of another one before the client of that one has ended.
     */
    @Test
    void testChain()
    {
        createSchema("s");
        createTable(warehouse, "s", "t", row);
        PausedClient renaming = pause(fileSystem, client -> client.renameSchema("a", "b"), put("/b/.schema/", 1));
        // The schema a still exists
        assertRefused(ALREADY_EXISTS, () -> warehouse.renameSchema("s", "a"));
        renaming.finish();
        warehouse.renameSchema("s", "a");
        warehouse.renameSchema("b", "s");
        assertTables("a", "t");
        assertTables("s", "x");
        createTable(warehouse, "a", "y", row);
        createTable(warehouse, "s", "z", row);
        assertTables("a", "t", "y");
        assertTables("s", "x", "z");
    }

    /**
     * A table is created while its schema is renamed, and another schema gets the old name. The table is in the schema
     * in which the statement has begun.
     */
    @Test
    void testCreateTableDuringRename()
    {
        createSchema("s");
        createTable(warehouse, "s", "t", row);
        NewTable newTable = warehouse.newTable("a", "w", DEFINITION);
        PausedClient creating = pause(fileSystem, client -> createTable(client, "a", "y", row), put("/a/tables/y/", 1), new Point(Kind.LIST, "/a/.schema"));
        PausedClient renamingTable = pause(fileSystem, client -> client.renameTable(load(client, "s", "t"), "a", "t"), put("/a/tables/t/", 1), new Point(Kind.LIST, "/a/.schema"));
        warehouse.renameSchema("a", "b");
        createSchema("a");
        creating.advance();
        renamingTable.advance();
        creating.finish();
        renamingTable.finish();
        warehouse.createTable(newTable, rows(row));
        assertTables("a");
        assertTables("b", "w", "x", "y", "t");
        assertTables("s");
    }

    /**
     * As above, but the schema is dropped after the rename.
     */
    @Test
    void testCreateTableWhileRenamedSchemaIsDropped()
    {
        createSchema("s");
        AlbisTable table = createTable(warehouse, "s", "t", row);
        warehouse.dropTable(load(warehouse, "a", "x"));
        PausedClient creating = pause(fileSystem, client -> createTable(client, "a", "y", row), put("/a/tables/y/", 1));
        PausedClient renamingTable = pause(fileSystem, client -> client.renameTable(load(client, "s", "t"), "a", "t"), put("/a/tables/t/", 1));
        warehouse.renameSchema("a", "b");
        warehouse.dropSchema("b");
        createSchema("a");
        assertRefused(SCHEMA_NOT_FOUND, creating::finish);
        assertThatThrownBy(renamingTable::finish)
                .isInstanceOf(TableException.class)
                .hasMessage("Schema 'b' was dropped by another transaction");
        assertTables("a");
        assertTables("s", "t");
        assertThat(load(warehouse, "s", "t").uuid()).isEqualTo(table.uuid());
        // The next schema gets the key
        createSchema("b");
        createTable(warehouse, "b", "y", row);
        assertTables("b", "y");
    }

    /**
     * DROP SCHEMA finds a table that was created with the old name of the schema, and restores the schema.
     */
    @Test
    void testDropAfterRenameFindsTable()
    {
        warehouse.dropTable(load(warehouse, "a", "x"));
        PausedClient creating = pause(fileSystem, client -> createTable(client, "a", "y", row), put("/a/tables/y/", 1));
        warehouse.renameSchema("a", "b");
        PausedClient dropping = pause(fileSystem, client -> client.dropSchema("b"), put("/b/.schema/", 2));
        creating.finish();
        assertRefused(SCHEMA_NOT_EMPTY, dropping::finish);
        assertTables("b", "y");
        assertThat(warehouse.getSchema("b").orElseThrow().location().toString()).isEqualTo("memory:///own/a");
    }

    /**
     * A client that has checked the new name stalls while others use it, and the name is free again.
     */
    @Test
    void testTombstoneIsLate()
    {
        PausedClient renaming = pause(fileSystem, client -> client.renameSchema("a", "b"), put("/a/.schema/", 2));
        createSchema("b");
        warehouse.renameSchema("b", "c");
        renaming.finish();
        assertThat(warehouse.listSchemas()).containsExactlyInAnyOrder("b", "c");
        assertTables("b", "x");
        assertTables("c");
    }

    private void leaveUndecided()
    {
        pauseAndKill("b", 1, client -> client.renameSchema("a", "b"));
    }

    private void pauseAndKill(String schema, long entry, Consumer<Warehouse> statement)
    {
        PausedClient client = pause(fileSystem, statement, put("/" + schema + "/.schema/", entry));
        assertRefused(OUTCOME_UNKNOWN, client::kill);
    }

    private static Point put(String folder, long number)
    {
        return new Point(Kind.CREATE_EXCLUSIVE, folder + NumberedFiles.fileName(number));
    }

    private void createSchema(String name)
    {
        warehouse.createSchema(name, Optional.empty(), ImmutableMap.of());
    }

    private void assertTables(String schema, String... names)
    {
        assertThat(warehouse.schemaExists(schema)).isTrue();
        assertThat(warehouse.listTables(schema)).containsExactlyInAnyOrder(names);
        for (String name : names) {
            assertThat(rowGroupIds(load(warehouse, schema, name))).containsExactly(row.id());
        }
    }
}
