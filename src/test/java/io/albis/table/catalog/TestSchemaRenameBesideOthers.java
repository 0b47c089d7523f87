package io.albis.table.catalog;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.Warehouse;
import io.albis.table.maintenance.LostTable;
import io.albis.table.model.TableException;
import io.albis.table.path.WarehousePaths;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.viewDefinition;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.maintenance.MaintainedTable.stall;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A rename of a schema stalls before each of its operations while another client runs a statement, and the other way
 * round. Afterwards, each table has exactly one name, which is listed in a schema that exists, and has its rows.
 */
@Timeout(300)
final class TestSchemaRenameBesideOthers
{
    private static final List<String> SCHEMAS = ImmutableList.of("a", "b", "c", "s");
    private static final List<String> TABLES = ImmutableList.of("x", "y", "z", "v", "t");

    private final Map<UUID, Set<UUID>> rows = new HashMap<>();
    private final Set<UUID> dropped = new HashSet<>();
    // by a client that was told that it has failed
    private final Set<UUID> maybeDropped = new HashSet<>();
    private MemoryFileSystem fileSystem;
    private Warehouse warehouse;

    private interface Action
    {
        void run(TestSchemaRenameBesideOthers test, Warehouse client);
    }

    private enum Statement
    {
        LOOK((test, client) -> {
            Optional<AlbisTable> old = client.loadTable("a", "x");
            Optional<AlbisTable> renamed = client.loadTable("b", "x");
            assertThat(old.or(() -> renamed)).isPresent();
            assertThat(rowGroupIds(old.or(() -> renamed).orElseThrow())).isEqualTo(test.rows.get(old.or(() -> renamed).orElseThrow().uuid()));
        }),
        CREATE_OLD((test, client) -> test.create(client, "a", "y")),
        CREATE_NEW((test, client) -> test.create(client, "b", "x")),
        CREATE_BOTH((test, client) -> test.all(() -> test.create(client, "a", "y"), () -> test.create(client, "b", "y"))),
        CREATE_VIEW((test, client) -> test.see(client.views().create("a", "y", viewDefinition(), Optional.empty(), Optional.empty()))),
        INSERT((test, client) -> test.insert(client, "a", "x")),
        INSERT_NEW((test, client) -> test.insert(client, "b", "x")),
        DROP((test, client) -> test.drop(client, "a", "x")),
        DROP_NEW((test, client) -> test.drop(client, "b", "x")),
        DROP_AND_CREATE((test, client) -> test.all(() -> test.drop(client, "a", "x"), () -> test.create(client, "a", "x"))),
        RENAME((_, client) -> client.renameTable(load(client, "a", "x"), "a", "z")),
        RENAME_OUT((_, client) -> client.renameTable(load(client, "a", "x"), "s", "x")),
        RENAME_OUT_AND_BACK((test, client) -> test.all(() -> client.renameTable(load(client, "a", "x"), "s", "x"), () -> client.renameTable(load(client, "s", "x"), "a", "x"))),
        RENAME_IN((_, client) -> client.renameTable(load(client, "s", "t"), "a", "t")),
        RENAME_TO_NEW((_, client) -> client.renameTable(load(client, "s", "t"), "b", "t")),
        RENAME_TO_TAKEN((_, client) -> client.renameTable(load(client, "s", "t"), "b", "x")),
        RENAME_OLD_TO_NEW((_, client) -> client.renameTable(load(client, "a", "x"), "b", "x")),
        UNREGISTER_AND_REGISTER((_, client) -> {
            AlbisTable table = load(client, "a", "x");
            client.maintenance().unregisterTable(table);
            client.maintenance().registerTable("s", "x", table.folder().toString());
        }),
        CREATE_OLD_SCHEMA((_, client) -> client.createSchema("a", Optional.empty(), ImmutableMap.of())),
        RECREATE_OLD_SCHEMA((test, client) -> {
            client.createSchema("a", Optional.empty(), ImmutableMap.of());
            // The tables are those of the new schema
            assertThat(client.listTables("a")).isEmpty();
            test.dropSchemaWithTables(client, "a");
        }),
        CREATE_NEW_SCHEMA((_, client) -> client.createSchema("b", Optional.empty(), ImmutableMap.of())),
        CREATE_NEW_SCHEMA_AND_TABLE((test, client) -> test.all(() -> client.createSchema("b", Optional.empty(), ImmutableMap.of()), () -> test.create(client, "b", "x"))),
        DROP_OLD_SCHEMA((_, client) -> client.dropSchema("a")),
        DROP_OLD_SCHEMA_WITH_TABLES((test, client) -> test.dropSchemaWithTables(client, "a")),
        DROP_NEW_SCHEMA((_, client) -> client.dropSchema("b")),
        DROP_AND_CREATE_NEW_SCHEMA((test, client) -> {
            client.dropSchema("b");
            client.createSchema("b", Optional.empty(), ImmutableMap.of());
            test.create(client, "b", "y");
        }),
        SAME_RENAME((_, client) -> client.renameSchema("a", "b")),
        OTHER_RENAME((_, client) -> client.renameSchema("a", "c")),
        RENAME_AND_BACK((_, client) -> {
            client.renameSchema("a", "c");
            client.renameSchema("c", "a");
        }),
        RENAME_ON((_, client) -> client.renameSchema("b", "c")),
        RENAME_ON_AND_CREATE((test, client) -> {
            client.renameSchema("b", "c");
            client.createSchema("b", Optional.empty(), ImmutableMap.of());
            test.create(client, "b", "y");
        }),
        RENAME_BACK((_, client) -> client.renameSchema("b", "a")),
        RENAME_OTHER_TO_NEW((_, client) -> client.renameSchema("s", "b")),
        RENAME_OTHER_TO_OLD((_, client) -> client.renameSchema("s", "a")),
        VACUUM((_, client) -> {
            client.maintenance().vacuum(Optional.empty(), Instant.now().plusSeconds(10));
            client.maintenance().findLostTables(Optional.empty());
        });

        private final Action action;

        Statement(Action action)
        {
            this.action = action;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LOOK", "CREATE_BOTH", "DROP_AND_CREATE", "RENAME_IN", "RECREATE_OLD_SCHEMA", "DROP_NEW_SCHEMA"})
    void testRenameStallsBesideFew(Statement statement)
    {
        stallEverywhere(Statement.SAME_RENAME, statement);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void testRenameStalls(Statement statement)
    {
        stallEverywhere(Statement.SAME_RENAME, statement);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void testOtherStalls(Statement statement)
    {
        stallEverywhere(statement, Statement.SAME_RENAME);
    }

    private void stallEverywhere(Statement stalling, Statement other)
    {
        AtomicBoolean stalled = new AtomicBoolean(true);
        for (int position = 0; stalled.get(); position++) {
            stalled.set(false);
            setUp();
            Warehouse client = warehouse(new HookedFileSystem(fileSystem, stall(position, () -> {
                stalled.set(true);
                run(other, warehouse);
            })));
            try {
                run(stalling, client);
                check();
            }
            catch (RuntimeException | AssertionError e) {
                throw new AssertionError("%s stalled before operation %s".formatted(stalling, position), e);
            }
        }
    }

    private void setUp()
    {
        rows.clear();
        dropped.clear();
        maybeDropped.clear();
        fileSystem = new MemoryFileSystem();
        warehouse = warehouse(fileSystem);
        warehouse.createSchema("a", Optional.empty(), ImmutableMap.of());
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        create(warehouse, "a", "x");
        see(warehouse.views().create("a", "v", viewDefinition(), Optional.empty(), Optional.empty()));
        create(warehouse, "s", "t");
    }

    private void run(Statement statement, Warehouse client)
    {
        try {
            statement.action.run(this, client);
        }
        catch (TableException e) {
            assertThat(e.reason()).as(e.getMessage()).isNotEqualTo(OUTCOME_UNKNOWN);
        }
        catch (NoSuchElementException e) {
            // The table is not there at this moment
        }
    }

    /**
     * Runs all statements even if the storage refuses some.
     */
    private void all(Runnable... statements)
    {
        for (Runnable statement : statements) {
            try {
                statement.run();
            }
            catch (TableException e) {
                assertThat(e.reason()).as(e.getMessage()).isNotEqualTo(OUTCOME_UNKNOWN);
            }
            catch (NoSuchElementException e) {
                // The table is not there at this moment
            }
        }
    }

    private void create(Warehouse client, String schema, String table)
    {
        RowGroup row = oneRow();
        see(createTable(client, schema, table, row));
    }

    private void see(AlbisTable table)
    {
        rows.put(table.uuid(), rowGroupIds(table));
    }

    private void insert(Warehouse client, String schema, String table)
    {
        AlbisTable base = load(client, schema, table);
        RowGroup row = oneRow();
        client.append(base, rows(row), ReadSet.BLIND);
        Set<UUID> all = new HashSet<>(rows.get(base.uuid()));
        all.add(row.id());
        rows.put(base.uuid(), all);
    }

    private void drop(Warehouse client, String schema, String table)
    {
        drop(client, load(client, schema, table));
    }

    private void drop(Warehouse client, AlbisTable table)
    {
        maybeDropped.add(table.uuid());
        client.dropTable(table);
        dropped.add(table.uuid());
    }

    private void dropSchemaWithTables(Warehouse client, String schema)
    {
        for (String table : client.listTables(schema)) {
            client.loadTable(schema, table).ifPresent(found -> drop(client, found));
        }
        client.dropSchema(schema);
    }

    private void check()
    {
        Map<UUID, Set<String>> names = new HashMap<>();
        for (String schema : SCHEMAS) {
            boolean exists = warehouse.schemaExists(schema);
            List<String> listed = warehouse.listTables(schema);
            for (String name : TABLES) {
                Optional<AlbisTable> table = warehouse.loadTable(schema, name);
                assertThat(listed.contains(name)).as("%s.%s is listed", schema, name).isEqualTo(table.isPresent());
                table.ifPresent(found -> {
                    assertThat(exists).as("schema of %s.%s", schema, name).isTrue();
                    assertThat(listed).contains(name);
                    assertThat(rowGroupIds(found)).isEqualTo(rows.get(found.uuid()));
                    names.computeIfAbsent(found.uuid(), _ -> new HashSet<>()).add(schema + "." + name);
                });
            }
        }
        for (UUID uuid : rows.keySet()) {
            if (dropped.contains(uuid)) {
                assertThat(names).as("a table that was dropped").doesNotContainKey(uuid);
            }
            else if (!maybeDropped.contains(uuid) || names.containsKey(uuid)) {
                assertThat(names.get(uuid)).as("names of a table").hasSize(1);
            }
        }
        assertThat(names.keySet()).isSubsetOf(rows.keySet());
        // A CREATE TABLE that was refused may leave the folder of its table
        assertThat(warehouse.maintenance().findLostTables(Optional.empty()))
                .noneMatch(lost -> lost.state() != LostTable.State.DROPPED && rows.containsKey(WarehousePaths.tableId(lost.location()).orElseThrow()));
        for (String schema : SCHEMAS) {
            if (warehouse.schemaExists(schema)) {
                dropSchemaWithTables(warehouse, schema);
            }
        }
        assertThat(warehouse.listSchemas()).isEmpty();
    }
}
