package io.albis.table;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.alter.Change;
import io.albis.table.model.NewTable;
import io.albis.table.model.SchemaInfo;
import io.albis.table.model.TableDefinition;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.ids;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.INVALID_DEFINITION;
import static io.albis.table.model.TableException.Reason.INVALID_NAME;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_EMPTY;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_FOUND;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;

class TestWarehouse
{
    private MemoryFileSystem fileSystem;
    private Warehouse warehouse;

    @BeforeEach
    void setUp()
    {
        fileSystem = new MemoryFileSystem();
        warehouse = warehouse(fileSystem);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    @Test
    void testSchemas()
    {
        assertThat(warehouse.listSchemas()).containsExactly("s");
        SchemaInfo created = warehouse.createSchema("a schema/ü", Optional.of("memory:///elsewhere/"), ImmutableMap.of("key", "value"));
        assertThat(created).isEqualTo(new SchemaInfo("a schema/ü", Location.of("memory:///elsewhere"), true, ImmutableMap.of("key", "value")));
        assertThat(warehouse.getSchema("a schema/ü")).contains(created);
        assertThat(warehouse.listSchemas()).containsExactlyInAnyOrder("s", "a schema/ü");
        assertRefused(ALREADY_EXISTS, () -> warehouse.createSchema("s", Optional.empty(), ImmutableMap.of()));
        assertRefused(INVALID_NAME, () -> warehouse.createSchema("information_schema", Optional.empty(), ImmutableMap.of()));

        AlbisTable table = createTable(warehouse, "a schema/ü", "t");
        assertThat(table.folder().toString()).startsWith("memory:///elsewhere/t-");
        assertRefused(SCHEMA_NOT_EMPTY, () -> warehouse.dropSchema("a schema/ü"));
        warehouse.dropTable(table);
        warehouse.dropSchema("a schema/ü");
        assertThat(warehouse.getSchema("a schema/ü")).isEmpty();
        assertThat(warehouse.listSchemas()).containsExactly("s");
        assertRefused(SCHEMA_NOT_FOUND, () -> warehouse.dropSchema("a schema/ü"));
        assertThat(warehouse.getSchema("x".repeat(10_000))).isEmpty();
    }

    @Test
    void testCreateAndLoad()
    {
        RowGroup first = oneRow();
        AlbisTable created = createTable(warehouse, "s", "a table", first);
        assertThat(created.folder().toString()).isEqualTo("memory:///warehouse/s/a%20table-" + created.uuid());
        AlbisTable loaded = load(warehouse, "s", "a table");
        assertThat(loaded.version()).isEqualTo(created.version());
        assertThat(loaded.rowGroups()).containsExactly(first);
        assertThat(loaded.rowCount()).isEqualTo(1);
        assertThat(loaded.version().bytes()).isEqualTo(410);
        assertThat(loaded.version().columns()).isEqualTo(DEFINITION.columns());
        assertThat(loaded.version().columnGroups()).isEqualTo(DEFINITION.columnGroups());
        assertThat(loaded.version().properties()).isEqualTo(DEFINITION.properties());
        assertThat(loaded.version().comment()).isEqualTo(DEFINITION.comment());
        assertThat(loaded.version().schema().columns()).extracting("name").containsExactly("id", "name");
        assertThat(warehouse.listTables("s")).containsExactly("a table");
        assertThat(warehouse.listTables("none")).isEmpty();
        assertThat(warehouse.loadTable("s", "none")).isEmpty();
        assertThat(warehouse.loadTable("s", "x".repeat(10_000))).isEmpty();

        assertRefused(SCHEMA_NOT_FOUND, () -> warehouse.newTable("none", "t", DEFINITION));
        assertRefused(INVALID_NAME, () -> warehouse.newTable("s", "..", DEFINITION));
    }

    @Test
    void testRefusedCreateLeavesRowGroups()
            throws IOException
    {
        createTable(warehouse, "s", "t", oneRow());
        RowGroup rowGroup = oneRow();
        NewTable newTable = warehouse.newTable("s", "t", DEFINITION);
        TableFixtures.overwrite(fileSystem, newTable.folder().appendPath("rg-" + rowGroup.id()).appendPath("cg-1/data").toString(), new byte[10]);
        Set<String> files = files(fileSystem, ROOT).keySet();
        for (int attempt = 0; attempt < 2; attempt++) {
            assertRefused(ALREADY_EXISTS, () -> warehouse.createTable(newTable, rows(rowGroup)));
            assertThat(files(fileSystem, ROOT).keySet()).isEqualTo(files);
        }
    }

    @Test
    void testSchemaDroppedWhileTableIsCreated()
            throws IOException
    {
        NewTable newTable = warehouse.newTable("s", "t", DEFINITION);
        warehouse.dropSchema("s");
        Map<String, byte[]> before = files(fileSystem, ROOT);
        assertRefused(SCHEMA_NOT_FOUND, () -> warehouse.createTable(newTable, rows(oneRow())));
        assertThat(files(fileSystem, ROOT)).containsExactlyEntriesOf(before);
    }

    @Test
    void testAppends()
    {
        AlbisTable table = createTable(warehouse, "s", "t");
        assertThat(table.rowGroups()).isEmpty();
        assertThat(warehouse.append(table, rows(), ReadSet.BLIND)).isSameAs(table);

        RowGroup first = oneRow();
        RowGroup second = oneRow();
        AlbisTable appended = warehouse.append(table, rows(first), ReadSet.BLIND);
        assertThat(appended.version().version()).isEqualTo(2);
        // This append starts from an old version, and is reapplied to the newest one
        assertThat(rowGroupIds(warehouse.append(table, rows(second), ReadSet.BLIND))).containsExactlyInAnyOrder(first.id(), second.id());
        // A loaded table is pinned to its version
        assertThat(appended.rowGroups()).containsExactly(first);
        assertThat(warehouse.loadTableVersion("s", "t", table.folder(), table.uuid(), 2).rowGroups()).containsExactly(first);
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.loadTableVersion("s", "t", table.folder(), table.uuid(), 17));
    }

    @Test
    void testWriteThatReadItsTableConflicts()
            throws IOException
    {
        AlbisTable table = createTable(warehouse, "s", "t", oneRow());
        AlbisTable commented = warehouse.alter(table, new Change.TableComment(Optional.of("new")));
        AlbisTable appended = warehouse.append(table, rows(oneRow()), ReadSet.wholeTable());
        assertThat(appended.rowCount()).isEqualTo(2);
        int files = files(fileSystem, ROOT).size();
        assertRefused(CONFLICT, () -> warehouse.append(commented, rows(oneRow()), ReadSet.wholeTable()));
        assertThat(files(fileSystem, ROOT)).hasSize(files);
        assertThat(load(warehouse, "s", "t").rowCount()).isEqualTo(2);
    }

    @Test
    void testComments()
    {
        AlbisTable table = createTable(warehouse, "s", "t", oneRow());
        warehouse.alter(table, new Change.ColumnComment(2, Optional.empty()));
        AlbisTable changed = warehouse.alter(table, new Change.TableComment(Optional.of("üñ\"\n")));
        assertThat(changed.version().columns().get(1).comment()).isEmpty();
        assertThat(load(warehouse, "s", "t").version().comment()).contains("üñ\"\n");
        assertThat(warehouse.alter(changed, new Change.TableComment(Optional.empty())).version().comment()).isEmpty();
        assertRefused(CONFLICT, () -> warehouse.alter(table, new Change.ColumnComment(17, Optional.empty())));
    }

    @Test
    void testDropAndCreateAgain()
    {
        AlbisTable old = createTable(warehouse, "s", "t", oneRow());
        warehouse.dropTable(old);
        assertThat(warehouse.loadTable("s", "t")).isEmpty();
        assertThat(warehouse.listTables("s")).isEmpty();
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.append(old, rows(oneRow()), ReadSet.BLIND));
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.dropTable(old));

        RowGroup rowGroup = oneRow();
        AlbisTable recreated = createTable(warehouse, "s", "t", rowGroup);
        assertThat(recreated.uuid()).isNotEqualTo(old.uuid());
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.append(old, rows(oneRow()), ReadSet.BLIND));
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.alter(old, new Change.TableComment(Optional.empty())));
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.dropTable(old));
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.renameTable(old, "s", "u"));
        assertThat(load(warehouse, "s", "t").rowGroups()).containsExactly(rowGroup);
        // Readers of the old table are not affected
        assertThat(old.rowGroups()).hasSize(1);
    }

    @Test
    void testRename()
    {
        warehouse.createSchema("other", Optional.empty(), ImmutableMap.of());
        RowGroup rowGroup = oneRow();
        AlbisTable table = createTable(warehouse, "s", "t", rowGroup);
        AlbisTable renamed = warehouse.renameTable(table, "other", "u");
        assertThat(warehouse.listTables("s")).isEmpty();
        assertThat(warehouse.listTables("other")).containsExactly("u");
        assertThat(warehouse.loadTable("s", "t")).isEmpty();
        assertThat(load(warehouse, "other", "u").rowGroups()).containsExactly(rowGroup);
        assertThat(renamed.folder()).isEqualTo(table.folder());
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.renameTable(table, "s", "v"));

        // A write that began before the rename goes to the table, whatever its current name
        RowGroup second = oneRow();
        warehouse.append(table, rows(second), ReadSet.BLIND);
        assertThat(rowGroupIds(load(warehouse, "other", "u"))).isEqualTo(ids(List.of(rowGroup, second)));

        createTable(warehouse, "s", "taken");
        assertRefused(ALREADY_EXISTS, () -> warehouse.renameTable(renamed, "s", "taken"));
        assertRefused(ALREADY_EXISTS, () -> warehouse.renameTable(renamed, "other", "u"));
        assertRefused(SCHEMA_NOT_FOUND, () -> warehouse.renameTable(renamed, "none", "u"));
        assertRefused(INVALID_NAME, () -> warehouse.renameTable(renamed, "s", "U"));
        warehouse.renameTable(load(warehouse, "other", "u"), "s", "t");
        assertThat(load(warehouse, "s", "t").rowCount()).isEqualTo(2);
        assertThat(warehouse.listTables("s")).containsExactlyInAnyOrder("t", "taken");
    }

    @Test
    void testLocations()
    {
        AlbisTable table = createTableAt("t", "memory:///own/folder/");
        assertThat(table.folder()).isEqualTo(Location.of("memory:///own/folder/t-" + table.uuid()));
        assertThat(load(warehouse, "s", "t").folder()).isEqualTo(table.folder());
        assertThat(load(warehouse, "s", "t").explicitLocation()).contains(Location.of("memory:///own/folder"));
        assertThat(warehouse.renameTable(table, "s", "renamed").explicitLocation()).contains(Location.of("memory:///own/folder"));
        warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
        assertThat(createTable(warehouse, "s", "without").explicitLocation()).isEmpty();

        assertRefused(INVALID_DEFINITION, () -> createTableAt("u", table.folder().toString()));
        assertRefused(INVALID_DEFINITION, () -> createTableAt("u", table.folder().appendPath("inner").toString()));
        assertRefused(INVALID_DEFINITION, () -> createTableAt("u", "memory:///"));
        assertRefused(INVALID_DEFINITION, () -> createTableAt("u", "memory:///a/../b"));
        assertRefused(INVALID_DEFINITION, () -> createTableAt("u", "memory:///a//b"));
        assertRefused(INVALID_DEFINITION, () -> createTableAt("u", "memory:///a/b "));
        assertRefused(INVALID_DEFINITION, () -> createTableAt("u", "memory://host/b"));
        assertRefused(INVALID_DEFINITION, () -> createTableAt("u", "relative/folder"));
        assertRefused(INVALID_DEFINITION, () -> createTableAt("u", ""));
        assertRefused(INVALID_DEFINITION, () -> createTableAt("u", "s3://bucket/a"));
        assertRefused(INVALID_DEFINITION, () -> createTableAt("u", "memory:///warehouse/x/tables/y"));
        assertRefused(INVALID_DEFINITION, () -> createTableAt("u", "memory:///warehouse/x/tables"));
        assertRefused(INVALID_DEFINITION, () -> createTableAt("u", "memory:///warehouse/x/.schema/y"));
        assertRefused(INVALID_DEFINITION, () -> createTableAt("u", "memory:///warehouse/.albis"));
        assertRefused(INVALID_DEFINITION, () -> warehouse.createSchema("u", Optional.of(table.folder().appendPath("schema").toString()), ImmutableMap.of()));
        assertThat(warehouse.listTables("s")).containsExactlyInAnyOrder("renamed", "without");
    }

    @Test
    void testWarehouseCanBeMoved()
            throws IOException
    {
        createTable(warehouse, "s", "t", oneRow());
        warehouse.createSchema("inside", Optional.of("memory:///warehouse/data"), ImmutableMap.of());
        createTableAt("located", "memory:///warehouse/data");
        for (String location : files(fileSystem, ROOT).keySet()) {
            fileSystem.renameFile(Location.of(location), Location.of(location.replace("/warehouse/", "/moved/")));
        }
        Warehouse moved = new Warehouse(fileSystem, Location.of("memory:///moved/"), TYPE_RESOLVER);
        assertThat(load(moved, "s", "t").rowGroups()).hasSize(1);
        assertThat(load(moved, "s", "located").explicitLocation()).contains(Location.of("memory:///moved/data"));
        assertThat(moved.getSchema("inside").orElseThrow().location()).isEqualTo(Location.of("memory:///moved/data"));
        assertThat(createTable(moved, "inside", "t", oneRow()).folder().toString()).startsWith("memory:///moved/data/t-");
        moved.append(load(moved, "s", "located"), rows(oneRow()), ReadSet.BLIND);
    }

    @Test
    void testWarehouseIsAWholeFileSystem()
    {
        Warehouse whole = new Warehouse(new MemoryFileSystem(), Location.of("memory:///"), TYPE_RESOLVER);
        whole.createSchema("s", Optional.empty(), ImmutableMap.of());
        AlbisTable table = createTable(whole, "s", "t", oneRow());
        assertThat(table.folder().toString()).isEqualTo("memory:///s/t-" + table.uuid());
        assertThat(whole.listSchemas()).containsExactly("s");
        assertThat(whole.listTables("s")).containsExactly("t");
        assertThat(load(whole, "s", "t").rowGroups()).hasSize(1);
    }

    @Test
    void testSchemaWithLeftoverNameCanBeDropped()
            throws IOException
    {
        AlbisTable table = createTable(warehouse, "s", "t");
        warehouse.dropTable(table);
        fileSystem.deleteFile(Location.of("memory:///warehouse/s/tables/t/00000000000000000002.json"));
        assertThat(warehouse.listTables("s")).containsExactly("t");
        warehouse.dropSchema("s");
        assertThat(warehouse.listSchemas()).isEmpty();
    }

    @Test
    void testFilesOfOthersAmongNames()
            throws IOException
    {
        createTable(warehouse, "s", "t", oneRow());
        for (String file : List.of(
                "tables/readme",
                "tables/t/.0c0d2.tmp",
                "tables/t/3.json",
                "tables/t/00000000000000000000.json",
                "tables/t/09223372036854775807.json",
                "tables/t/99999999999999999999.json",
                "tables/t/x/00000000000000000002.json",
                "tables/X/00000000000000000001.json",
                ".schema/.0c0d2.tmp",
                ".schema/2.json")) {
            TableFixtures.overwrite(fileSystem, "memory:///warehouse/s/" + file, new byte[1]);
        }
        assertThat(warehouse.listTables("s")).containsExactly("t");
        assertThat(load(warehouse, "s", "t").rowGroups()).hasSize(1);
        warehouse.dropTable(load(warehouse, "s", "t"));
        assertThat(warehouse.listTables("s")).isEmpty();
        warehouse.dropSchema("s");
        assertThat(warehouse.listSchemas()).isEmpty();
    }

    @Test
    void testSchemaWithDamagedEntry()
            throws IOException
    {
        createTable(warehouse, "s", "t", oneRow());
        TableFixtures.overwrite(fileSystem, "memory:///warehouse/s/.schema/00000000000000000001.json", new byte[10]);
        assertThat(warehouse.schemaExists("s")).isTrue();
        assertThat(warehouse.listSchemas()).containsExactly("s");
        assertThat(warehouse.listTables("s")).containsExactly("t");
        assertThat(load(warehouse, "s", "t").rowGroups()).hasSize(1);
        assertRefused(SCHEMA_NOT_EMPTY, () -> warehouse.dropSchema("s"));
        warehouse.dropTable(load(warehouse, "s", "t"));
        warehouse.dropSchema("s");
        assertThat(warehouse.listSchemas()).isEmpty();
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        assertThat(warehouse.getSchema("s")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"viewfs://cluster/warehouse", "/warehouse", "ftp://host/warehouse", "local:///warehouse"})
    void testFileSystemsWithoutPutIfAbsent(String root)
    {
        assertRefused(NOT_SUPPORTED, () -> new Warehouse(fileSystem, Location.of(root), TYPE_RESOLVER));
    }

    private AlbisTable createTableAt(String tableName, String location)
    {
        return warehouse.createTable(newTableAt(tableName, location), rows());
    }

    private NewTable newTableAt(String tableName, String location)
    {
        return warehouse.newTable("s", tableName, new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), DEFINITION.properties(), DEFINITION.comment(), Optional.of(location)));
    }
}
