package io.albis.table;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
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
import java.util.Map;
import java.util.Optional;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is done in a copy of a warehouse changes nothing of the original.
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

    private AlbisTable createTableAt(Warehouse warehouse, String tableName, String location, RowGroup... rowGroups)
    {
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), DEFINITION.properties(), DEFINITION.comment(), Optional.of(location));
        return warehouse.createTable(warehouse.newTable("s", tableName, definition), rows(rowGroups));
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
