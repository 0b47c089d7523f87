package io.albis.table.catalog;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseViews.Kind;
import io.albis.table.WarehouseViews.ListedName;
import io.albis.table.maintenance.LostTable;
import io.albis.table.maintenance.VacuumCandidate;
import io.albis.table.model.NewTable;
import io.albis.table.model.SchemaInfo;
import io.albis.table.model.TableException;
import io.albis.table.name.NameEntry;
import io.albis.table.path.NumberedFiles;
import io.albis.table.put.SmallFiles;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.viewDefinition;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.TableFixtures.withChecksum;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.INVALID_NAME;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_EMPTY;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_FOUND;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Renames of schemas, and the names and files afterwards.
 */
@Timeout(60)
final class TestSchemaRename
{
    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);
    private final RowGroup row = oneRow();

    @BeforeEach
    void setUp()
    {
        createSchema("a");
        createTable(warehouse, "a", "x", row);
    }

    @Test
    void testLocationAndProperties()
    {
        SchemaInfo old = warehouse.createSchema("old", Optional.of("memory:///own/schemas"), ImmutableMap.of("key", "value"));
        AlbisTable table = createTable(warehouse, "old", "t", row);
        warehouse.renameSchema("old", "new");
        SchemaInfo renamed = warehouse.getSchema("new").orElseThrow();
        assertThat(renamed).isEqualTo(new SchemaInfo("new", old.location(), true, ImmutableMap.of("key", "value")));
        assertThat(warehouse.getSchema("old")).isEmpty();
        assertThat(load(warehouse, "new", "t").folder()).isEqualTo(table.folder());
        assertThat(createTable(warehouse, "new", "u").folder().toString()).startsWith("memory:///own/schemas/u-");

        // Without a location, new tables have the folder of the new name
        warehouse.renameSchema("a", "b");
        assertThat(load(warehouse, "b", "x").folder().toString()).startsWith("memory:///warehouse/a/x-");
        assertThat(createTable(warehouse, "b", "y").folder().toString()).startsWith("memory:///warehouse/b/y-");
        assertThat(warehouse.listSchemas()).containsExactlyInAnyOrder("new", "b");
        assertThat(warehouse.maintenance().findLostTables(Optional.empty())).isEmpty();
    }

    /**
     * A rename puts an entry, a tombstone, and their markers, and nothing else changes.
     */
    @Test
    void testFiles()
            throws IOException
    {
        Map<String, byte[]> before = files(fileSystem, ROOT);
        warehouse.renameSchema("a", "b");
        Map<String, byte[]> after = files(fileSystem, ROOT);
        assertThat(after).containsAllEntriesOf(before);
        assertThat(after.keySet()).filteredOn(file -> !before.containsKey(file)).containsExactly(
                marker("a", 2).replace(".renamed", ".json"),
                marker("a", 2),
                entry("b", 1),
                marker("b", 1));
        assertThat(text("a", 2)).containsPattern("\"renamedTo\":\\{\"number\":1,\"name\":\"b\",\"entry\":\"[-0-9a-f]{36}\"},\"features\":\\[\"schema-rename\"]}");
        assertThat(text("b", 1)).contains("\"tables\":\"a\",\"renamedFrom\":{\"number\":1,\"name\":\"a\"},\"features\":[\"schema-rename\"]}");
        // Without a rename, earlier builds read the files
        assertThat(text("a", 1)).doesNotContain("tables", "features");
        createTable(warehouse, "b", "y", row);
        assertThat(files(fileSystem, ROOT).keySet()).contains(ROOT + "/a/tables/y/" + NumberedFiles.fileName(1)).noneMatch(file -> file.contains("/b/tables/"));
    }

    @Test
    void testThereAndBack()
    {
        for (int i = 0; i < 3; i++) {
            warehouse.renameSchema("a", "b");
            assertTables("b", "x");
            createTable(warehouse, "b", "y", row);
            warehouse.renameSchema("b", "a");
            assertTables("a", "x", "y");
            warehouse.dropTable(load(warehouse, "a", "y"));
        }
        assertThat(warehouse.listSchemas()).containsExactly("a");
        // The key is the name again
        assertThat(text("a", 7)).doesNotContain("tables", "features");
    }

    @Test
    void testRefused()
            throws IOException
    {
        createSchema("taken");
        Map<String, byte[]> before = files(fileSystem, ROOT);
        assertRefused(SCHEMA_NOT_FOUND, () -> warehouse.renameSchema("missing", "b"));
        assertRefused(SCHEMA_NOT_FOUND, () -> warehouse.renameSchema("", "b"));
        assertRefused(ALREADY_EXISTS, () -> warehouse.renameSchema("a", "taken"));
        assertRefused(ALREADY_EXISTS, () -> warehouse.renameSchema("a", "a"));
        assertRefused(INVALID_NAME, () -> warehouse.renameSchema("a", "information_schema"));
        assertRefused(INVALID_NAME, () -> warehouse.renameSchema("a", "B"));
        assertThat(files(fileSystem, ROOT)).containsExactlyEntriesOf(before);
    }

    /**
     * The old name can be used again, and both schemas have tables of the same name. Neither schema sees those of the
     * other one, whatever becomes of them.
     */
    @Test
    void testOldNameIsUsedAgain()
    {
        warehouse.renameSchema("a", "b");
        createSchema("a");
        assertThat(warehouse.listTables("a")).isEmpty();
        assertThat(text("a", 3)).contains("\"tables\":\"a-R3\"");
        RowGroup other = oneRow();
        AlbisTable table = createTable(warehouse, "a", "x", other);
        assertThat(rowGroupIds(load(warehouse, "a", "x"))).containsExactly(other.id());
        assertTables("b", "x");
        assertRefused(SCHEMA_NOT_EMPTY, () -> warehouse.dropSchema("a"));
        warehouse.renameSchema("a", "c");
        assertThat(rowGroupIds(load(warehouse, "c", "x"))).containsExactly(other.id());
        warehouse.renameSchema("b", "a");
        assertTables("a", "x");
        warehouse.renameSchema("a", "b");
        createSchema("a");
        assertThat(warehouse.listTables("a")).isEmpty();
        warehouse.dropSchema("a");
        // After a plain DROP, the next schema gets the key
        createSchema("a");
        createTable(warehouse, "a", "x", row);
        assertTables("a", "x");
        warehouse.dropTable(load(warehouse, "c", "x"));
        warehouse.dropSchema("c");
        createSchema("c");
        assertThat(warehouse.listTables("c")).isEmpty();
        // Vacuum tells the schema in which the table was dropped
        assertThat(warehouse.maintenance().vacuumDryRun(Optional.empty(), Instant.now().plusSeconds(10)).freed())
                .extracting(VacuumCandidate::location, VacuumCandidate::schemaName)
                .containsExactly(tuple(table.folder(), Optional.of("c")));
        // No user can name a key
        assertThat(warehouse.schemaExists("a-R3")).isFalse();
        assertThat(warehouse.loadTable("a-R3", "x")).isEmpty();
        assertRefused(INVALID_NAME, () -> createSchema("a-R3"));
        assertThat(warehouse.listSchemas()).containsExactlyInAnyOrder("a", "b", "c");
    }

    /**
     * All statements on tables work in a schema that was renamed.
     */
    @Test
    void testStatementsOnTables()
    {
        warehouse.renameSchema("a", "b");
        createSchema("s");
        AlbisTable table = load(warehouse, "b", "x");
        warehouse.renameTable(table, "b", "y");
        assertTables("b", "y");
        warehouse.renameTable(load(warehouse, "b", "y"), "s", "y");
        warehouse.renameTable(load(warehouse, "s", "y"), "b", "x");
        assertThat(warehouse.listTables("s")).isEmpty();
        assertTables("b", "x");
        warehouse.maintenance().unregisterTable(load(warehouse, "b", "x"));
        assertThat(warehouse.maintenance().findLostTables(Optional.empty()))
                .extracting(LostTable::state, LostTable::schemaName, LostTable::tableName)
                .containsExactly(tuple(LostTable.State.UNREGISTERED, Optional.of("b"), Optional.of("x")));
        warehouse.maintenance().registerTable("b", "x", table.folder().toString());
        assertTables("b", "x");
        assertThatThrownBy(() -> warehouse.maintenance().registerTable("b", "z", table.folder().toString()))
                .hasMessageEndingWith("already has the name 'b.x'");
        assertThatThrownBy(() -> createTable(warehouse, "b", "x")).hasMessage("Table 'b.x' already exists");
        warehouse.dropTable(load(warehouse, "b", "x"));
        assertThat(warehouse.listTables("b")).isEmpty();
        warehouse.dropSchema("b");
        assertThat(warehouse.listSchemas()).containsExactly("s");
    }

    /**
     * Statements that have begun with the old name.
     */
    @Test
    void testBegunWithOldName()
    {
        AlbisTable table = load(warehouse, "a", "x");
        warehouse.renameSchema("a", "b");
        assertThatThrownBy(() -> warehouse.renameTable(table, "b", "y"))
                .hasMessage("Table 'a.x' was dropped, renamed, or replaced by another transaction");
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.dropTable(table));
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.maintenance().unregisterTable(table));
        RowGroup added = oneRow();
        warehouse.append(table, rows(added), ReadSet.BLIND);
        assertThat(rowGroupIds(load(warehouse, "b", "x"))).containsExactlyInAnyOrder(row.id(), added.id());
    }

    @Test
    void testViews()
    {
        AlbisTable view = warehouse.views().create("a", "v", viewDefinition(), Optional.empty(), Optional.empty());
        warehouse.renameSchema("a", "b");
        assertTables("b", "x", "v");
        assertThat(warehouse.views().list("b")).containsExactlyInAnyOrder(new ListedName("x", new NameEntry("a", 1), false), new ListedName("v", new NameEntry("a", 1), true));
        assertThat(warehouse.views().kind("v", new NameEntry("a", 1))).isEqualTo(Kind.VIEW);
        assertThat(warehouse.views().kind("v", new NameEntry("b", 1))).isEqualTo(Kind.TABLE);
        assertThat(load(warehouse, "b", "v").uuid()).isEqualTo(view.uuid());
        warehouse.views().create("b", "w", viewDefinition(), Optional.empty(), Optional.empty());
        assertTables("b", "x", "v", "w");
    }

    /**
     * A table that is left in a schema that was dropped is found again if the schema is created again, so no other
     * schema gets the name.
     */
    @Test
    void testTableInDroppedSchema()
            throws IOException
    {
        createSchema("b");
        warehouse.dropSchema("b");
        byte[] tombstone = bytes(entry("b", 2));
        createSchema("b");
        createTable(warehouse, "b", "t", row);
        overwrite(fileSystem, entry("b", 4), withChecksum(new String(tombstone, UTF_8).replace("\"number\":2", "\"number\":4")));
        Map<String, byte[]> before = files(fileSystem, ROOT);
        assertThatThrownBy(() -> warehouse.renameSchema("a", "b"))
                .isInstanceOf(TableException.class)
                .hasMessage("Schema 'b' was dropped while table 'b.t' was created in it: create the schema again to access the table");
        assertThat(files(fileSystem, ROOT)).containsExactlyEntriesOf(before);
        createSchema("b");
        assertTables("b", "t");
        warehouse.dropTable(load(warehouse, "b", "t"));
        warehouse.dropSchema("b");
        warehouse.renameSchema("a", "b");
        assertTables("b", "x");
        warehouse.renameSchema("b", "c");
        createSchema("b");
        assertThat(text("b", 9)).contains("\"tables\":\"b-R9\"");
    }

    /**
     * The storage fails after a schema was dropped, so it is not known whether a table was created meanwhile, and the
     * schema cannot be restored.
     */
    @Test
    void testDropWhileStorageFails()
            throws IOException
    {
        createSchema("b");
        warehouse.renameSchema("b", "c");
        AtomicBoolean failing = new AtomicBoolean();
        Warehouse dropping = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (failing.get()) {
                    throw new IOException("The storage fails");
                }
            }

            @Override
            public void after(Operation operation)
            {
                failing.compareAndSet(false, operation.kind() == HookedFileSystem.Kind.CREATE_EXCLUSIVE && operation.location().toString().contains("/c/.schema/"));
            }
        }));
        assertRefused(OUTCOME_UNKNOWN, () -> dropping.dropSchema("c"));
        assertThat(failing.get()).isTrue();
        assertThat(warehouse.schemaExists("c")).isFalse();
    }

    /**
     * Files that are needed to find out which name a schema has are named if they are damaged. Those without a marker
     * are not read.
     */
    @Test
    void testDamagedFiles()
            throws IOException
    {
        createSchema("c");
        createTable(warehouse, "c", "y", row);
        warehouse.renameSchema("a", "b");
        byte[] live = bytes(entry("b", 1));
        byte[] tombstone = bytes(entry("a", 2));

        overwrite(fileSystem, entry("b", 1), new byte[1]);
        assertDamaged(entry("b", 1), () -> warehouse.loadTable("b", "x"));
        assertDamaged(entry("b", 1), () -> warehouse.dropSchema("b"));
        assertDamaged(entry("b", 1), () -> warehouse.renameSchema("b", "d"));
        assertDamaged(entry("b", 1), () -> createSchema("a"));
        assertThat(warehouse.schemaExists("b")).isTrue();
        assertThat(warehouse.listSchemas()).containsExactlyInAnyOrder("b", "c");
        // The entry of another schema
        overwrite(fileSystem, entry("b", 1), withChecksum(new String(live, UTF_8).replace("\"name\":\"b\"", "\"name\":\"c\"")));
        assertDamaged(entry("b", 1), () -> warehouse.loadTable("b", "x"));
        overwrite(fileSystem, entry("b", 1), withChecksum(new String(live, UTF_8).replace("\"tables\":\"a\"", "\"tables\":\"\"")));
        assertDamaged(entry("b", 1), () -> warehouse.loadTable("b", "x"));
        overwrite(fileSystem, entry("b", 1), live);

        for (byte[] damaged : ImmutableList.of(new byte[1], withChecksum(new String(tombstone, UTF_8).replace("\"schemaName\":\"a\"", "\"schemaName\":\"o\"")), withChecksum(new String(tombstone, UTF_8).replace("\"number\":1", "\"number\":2")))) {
            overwrite(fileSystem, entry("a", 2), damaged);
            assertDamaged(entry("a", 2), () -> createSchema("a"));
            assertDamaged(entry("a", 2), () -> warehouse.schemaExists("a"));
            assertThat(warehouse.listSchemas()).containsExactlyInAnyOrder("b", "c");
            assertTables("b", "x");
        }
        overwrite(fileSystem, entry("a", 2), tombstone);
        createSchema("a");

        // As before renames existed
        overwrite(fileSystem, entry("c", 1), new byte[1]);
        assertTables("c", "y");
        assertDamaged(entry("c", 1), () -> warehouse.renameSchema("c", "d"));
        warehouse.dropTable(load(warehouse, "c", "y"));
        warehouse.dropSchema("c");
        overwrite(fileSystem, entry("c", 2), new byte[0]);
        createSchema("c");
        assertThat(warehouse.schemaExists("c")).isTrue();
    }

    /**
     * Schemas that were renamed to each other are found to be damaged.
     */
    @Test
    void testCircle()
            throws IOException
    {
        warehouse.renameSchema("a", "b");
        warehouse.renameSchema("b", "a");
        String id = UUID.randomUUID().toString();
        overwrite(fileSystem, entry("b", 1), withChecksum(text("b", 1).replaceAll("\"entry\":\"[-0-9a-f]+\"", "\"entry\":\"" + id + "\"")));
        // The tombstone of b names its own schema
        String own = text("b", 1).replaceAll("(?s).*\"id\":\"([-0-9a-f]+)\".*", "$1");
        overwrite(fileSystem, entry("b", 2), withChecksum(text("b", 2).replaceAll("\"name\":\"a\",\"entry\":\"[-0-9a-f]+\"", "\"name\":\"b\",\"entry\":\"" + own + "\"").replaceAll("\"renamedTo\":\\{\"number\":3", "\"renamedTo\":{\"number\":1")));
        NewTable newTable = warehouse.newTable("a", "y", DEFINITION);
        warehouse.dropTable(load(warehouse, "a", "x"));
        warehouse.dropSchema("a");
        assertThatThrownBy(() -> warehouse.createTable(newTable, rows(row))).hasCauseInstanceOf(AlbisDataException.class).hasMessageContaining("schema 'b' was renamed to itself");
    }

    /**
     * A build that does not know the feature refuses the files.
     */
    @Test
    void testUnknownFeature()
            throws IOException
    {
        warehouse.renameSchema("a", "b");
        overwrite(fileSystem, entry("b", 1), withChecksum(text("b", 1).replace("schema-rename", "schema-remove")));
        assertThatThrownBy(() -> warehouse.loadTable("b", "x")).hasMessageContaining("uses the feature 'schema-remove', which this version of Albis does not support");
    }

    /**
     * A schema that was not renamed costs one listing for each lookup of a table, and one that was renamed a read more.
     */
    @Test
    void testOperationsOfLookups()
    {
        AtomicInteger operations = new AtomicInteger();
        Warehouse counting = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
            {
                operations.incrementAndGet();
            }
        }));
        load(counting, "a", "x");
        int before = operations.getAndSet(0);
        warehouse.renameSchema("a", "b");
        load(counting, "b", "x");
        assertThat(operations.getAndSet(0)).isEqualTo(before + 1);
        counting.renameSchema("b", "c");
        assertThat(operations.get()).isLessThan(30);
    }

    private void createSchema(String name)
    {
        warehouse.createSchema(name, Optional.empty(), ImmutableMap.of());
    }

    private static void assertDamaged(String location, Runnable operation)
    {
        assertThatThrownBy(operation::run)
                .isInstanceOf(UncheckedIOException.class)
                .hasCauseInstanceOf(AlbisDataException.class)
                .hasMessageContaining(location);
    }

    private void assertTables(String schema, String... names)
    {
        assertThat(warehouse.schemaExists(schema)).isTrue();
        assertThat(warehouse.listTables(schema)).containsExactlyInAnyOrder(names);
        for (String name : names) {
            AlbisTable table = load(warehouse, schema, name);
            assertThat(table.schemaName()).isEqualTo(schema);
            if (!table.version().isView()) {
                assertThat(rowGroupIds(table)).containsExactly(row.id());
            }
        }
    }

    private static String entry(String schema, long number)
    {
        return ROOT.appendPath(schema).appendPath(".schema").appendPath(NumberedFiles.fileName(number)).toString();
    }

    private static String marker(String schema, long number)
    {
        return ROOT.appendPath(schema).appendPath(".schema").appendPath(NumberedFiles.renamedName(number)).toString();
    }

    private String text(String schema, long number)
    {
        return new String(bytes(entry(schema, number)), UTF_8);
    }

    private byte[] bytes(String location)
    {
        try {
            return SmallFiles.read(fileSystem, Location.of(location)).orElseThrow();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
