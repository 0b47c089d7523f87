package io.albis.table;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.alter.Change;
import io.albis.table.model.NewTable;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.local.LocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Writes in a copy of a warehouse never change the original.
 */
final class TestWarehouseCopy
{
    @TempDir
    private Path root;

    private LocalFileSystem fileSystem;
    private Warehouse original;

    @BeforeEach
    void setUp()
    {
        fileSystem = new LocalFileSystem(root);
        original = warehouse("local:///warehouse");
        original.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    @Test
    void testSchemaWithLocationInside()
            throws IOException
    {
        original.createSchema("inside", Optional.of("local:///warehouse/data/inside"), ImmutableMap.of());
        Warehouse copy = copy();
        assertThat(copy.getSchema("inside").orElseThrow().location()).isEqualTo(Location.of("local:///copy/data/inside"));
        Map<String, byte[]> before = files(fileSystem, Location.of("local:///warehouse"));
        createTable(copy, "inside", "t", oneRow());
        assertThat(files(fileSystem, Location.of("local:///warehouse"))).containsExactlyEntriesOf(before);
    }

    /**
     * A table that belongs to the original keeps its name there.
     */
    @Test
    void testRenameOfSchemaInTheCopy()
            throws IOException
    {
        RowGroup row = oneRow();
        createTableAt(original, "t", "local:///outside", row);
        Warehouse copy = copy();
        Map<String, byte[]> before = files(fileSystem, Location.of("local:///outside"));
        copy.renameSchema("s", "z");
        assertThat(rowGroupIds(load(copy, "z", "t"))).containsExactly(row.id());
        assertThat(rowGroupIds(load(original, "s", "t"))).containsExactly(row.id());
        copy.dropTable(load(copy, "z", "t"));
        assertThat(copy.loadTable("z", "t")).isEmpty();
        assertThat(rowGroupIds(load(original, "s", "t"))).containsExactly(row.id());
        assertThat(files(fileSystem, Location.of("local:///outside"))).containsExactlyEntriesOf(before);
    }

    @Test
    void testDropInTheCopy()
            throws IOException
    {
        RowGroup row = oneRow();
        createTableAt(original, "t", "local:///outside", row);
        Warehouse copy = copy();
        Map<String, byte[]> before = files(fileSystem, Location.of("local:///outside"));
        copy.dropTable(load(copy, "s", "t"));
        assertThat(copy.listTables("s")).isEmpty();
        assertThat(copy.loadTable("s", "t")).isEmpty();
        assertThat(rowGroupIds(load(original, "s", "t"))).containsExactly(row.id());
        assertThat(files(fileSystem, Location.of("local:///outside"))).containsExactlyEntriesOf(before);
    }

    @Test
    void testCopyReadsAndDoesNotWrite()
            throws IOException
    {
        original.createSchema("outside", Optional.of("local:///outside/schema"), ImmutableMap.of());
        RowGroup row = oneRow();
        createTableAt(original, "t", "local:///outside", row);
        createTable(original, "outside", "u", row);
        Warehouse copy = copy();
        // A reader repairs the hint if it has permission to write
        fileSystem.deleteFile(load(original, "s", "t").folder().appendPath("versions/hint"));
        Map<String, byte[]> before = files(fileSystem, Location.of("local:///outside"));

        assertReadOnly(copy, "this warehouse is a copy of the warehouse at local:///warehouse", row);
        // A copy that does not include this file
        fileSystem.deleteFile(Location.of("local:///copy/.albis"));
        assertReadOnly(copy, "local:///copy/.albis is missing", row);
        // The copy then creates its own file
        copy.createSchema("own", Optional.of("local:///outside/own"), ImmutableMap.of());
        assertReadOnly(copy, "local:///copy/.albis has another id", row);
        AlbisTable own = createTable(copy, "own", "t", row);
        copy.append(own, rows(oneRow()), ReadSet.BLIND);
        copy.dropTable(load(copy, "own", "t"));
        Map<String, byte[]> after = files(fileSystem, Location.of("local:///outside"));
        after.keySet().removeIf(file -> file.contains("/outside/own/"));
        assertThat(after).containsExactlyEntriesOf(before);

        // Tables inside the copied folder belong to the copy
        createTable(copy, "s", "inside", row);
        copy.append(load(copy, "s", "inside"), rows(oneRow()), ReadSet.BLIND);
        // The original is still writable
        original.append(load(original, "s", "t"), rows(oneRow()), ReadSet.BLIND);
        assertThat(load(copy, "s", "t").rowCount()).isEqualTo(2);
    }

    private static void assertReadOnly(Warehouse copy, String reason, RowGroup row)
    {
        AlbisTable table = load(copy, "s", "t");
        assertThat(rowGroupIds(table)).containsExactly(row.id());
        assertThat(rowGroupIds(load(copy, "outside", "u"))).containsExactly(row.id());
        for (Runnable write : List.<Runnable>of(
                () -> copy.checkWritable(table),
                () -> copy.append(table, rows(oneRow()), ReadSet.BLIND),
                () -> copy.alter(table, new Change.TableComment(Optional.of("new"))),
                () -> copy.truncate(table),
                () -> copy.rollback(table, 1),
                () -> copy.expireVersions(table, Instant.now(), 1),
                () -> copy.renameTable(table, "s", "renamed"),
                () -> createTable(copy, "outside", "v"))) {
            assertThatThrownBy(write::run)
                    .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(NOT_SUPPORTED))
                    .hasMessageContaining(reason);
        }
        assertThat(copy.listTables("s")).contains("t").doesNotContain("renamed");
        assertThat(copy.listTables("outside")).containsExactly("u");
    }

    @Test
    void testCopyMakesNothingOutside()
            throws IOException
    {
        createTableAt(original, "t", "local:///outside");
        Warehouse copy = copy();
        // The write is refused before it writes any row
        assertRefused(NOT_SUPPORTED, () -> newTableAt(copy, "u", "local:///outside"));
        assertRefused(NOT_SUPPORTED, () -> copy.createSchema("u", Optional.of("local:///outside"), ImmutableMap.of()));
        assertThat(copy.listTables("s")).containsExactly("t");
        assertThat(copy.schemaExists("u")).isFalse();
    }

    /**
     * The copy does not repair the names that the original changes, even if the original dies during a change.
     */
    @Test
    void testOriginalRenamesAndDrops()
            throws IOException
    {
        RowGroup row = oneRow();
        createTableAt(original, "t", "local:///outside", row);
        // A RENAME that dies after putting the new name
        Warehouse dying = new Warehouse(new HookedFileSystem(fileSystem, new HookedFileSystem.Hook()
        {
            @Override
            public void before(HookedFileSystem.Operation operation)
                    throws IOException
            {
                if (operation.kind() == HookedFileSystem.Kind.READ && operation.location().toString().contains("/versions/") && Files.exists(root.resolve("warehouse/s/tables/u"))) {
                    throw new IOException("Dead");
                }
            }
        }), Location.of("local:///warehouse"), TableFixtures.TYPE_RESOLVER, WarehouseOptions.DEFAULT.withLocalRoot(root).withPolicy(TableFixtures.POLICY));
        assertRefused(OUTCOME_UNKNOWN, () -> dying.renameTable(load(dying, "s", "t"), "s", "u"));
        Warehouse copy = copy();
        Map<String, byte[]> before = files(fileSystem, Location.of("local:///outside"));
        assertThat(rowGroupIds(load(copy, "s", "u"))).containsExactly(row.id());
        assertThat(rowGroupIds(load(copy, "s", "t"))).containsExactly(row.id());
        assertThat(files(fileSystem, Location.of("local:///outside"))).containsExactlyEntriesOf(before);

        original.renameTable(load(original, "s", "u"), "s", "v");
        assertThat(rowGroupIds(load(copy, "s", "t"))).containsExactly(row.id());
        copy.dropTable(load(copy, "s", "t"));
        assertRefused(TABLE_NOT_FOUND, () -> copy.dropTable(load(original, "s", "v")));
        original.dropTable(load(original, "s", "v"));
        assertThat(copy.loadTable("s", "u")).isEmpty();
        // The name is free
        createTable(copy, "s", "u");
        assertThat(copy.listTables("s")).containsExactly("u");
    }

    private static AlbisTable createTableAt(Warehouse warehouse, String tableName, String location, RowGroup... rowGroups)
    {
        return warehouse.createTable(newTableAt(warehouse, tableName, location), rows(rowGroups));
    }

    private static NewTable newTableAt(Warehouse warehouse, String tableName, String location)
    {
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), DEFINITION.properties(), DEFINITION.comment(), Optional.of(location));
        return warehouse.newTable("s", tableName, definition);
    }

    private Warehouse warehouse(String location)
    {
        return TableFixtures.localWarehouse(root, location);
    }

    private Warehouse copy()
            throws IOException
    {
        Path source = root.resolve("warehouse");
        Path target = root.resolve("copy");
        Files.walkFileTree(source, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
                    throws IOException
            {
                Files.createDirectories(target.resolve(source.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                    throws IOException
            {
                Files.copy(file, target.resolve(source.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
        return warehouse("local:///copy");
    }
}
