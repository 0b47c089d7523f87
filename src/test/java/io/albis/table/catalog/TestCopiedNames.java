package io.albis.table.catalog;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.Warehouse;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoInputStream;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.warehouse;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A warehouse that is copied in the order of docs/operations.md while a table gets several names.
 */
final class TestCopiedNames
{
    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final MemoryFileSystem copy = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);
    private final RowGroup row = oneRow();
    private int name;

    @Test
    void testRenames()
            throws IOException
    {
        Random seeds = new Random();
        for (int round = 0; round < 20; round++) {
            long seed = seeds.nextLong();
            testRenames("s" + round, seed);
        }
    }

    private void testRenames(String schema, long seed)
            throws IOException
    {
        Random random = new Random(seed);
        name = 0;
        warehouse.createSchema(schema, Optional.empty(), ImmutableMap.of());
        createTable(warehouse, schema, "t0", row);
        for (int backup = 0; backup < 2; backup++) {
            rename(schema, random.nextInt(4));
            copy(path -> path.contains("/tables/"));
            rename(schema, random.nextInt(4));
            copy(path -> path.contains("/versions/"));
            rename(schema, random.nextInt(4));
            copy(path -> path.contains("/.schema/"));
            copy(path -> path.matches(".*/tables/.*[13579]\\.json"));
            rename(schema, random.nextInt(4));
            copy(path -> !path.contains("/.schema/") && !path.contains("/tables/") && !path.contains("/versions/"));
        }
        Warehouse restored = warehouse(copy);
        List<String> names = new ArrayList<>(restored.listTables(schema));
        Collections.shuffle(names, random);
        names.forEach(table -> restored.loadTable(schema, table));
        assertThat(restored.listTables(schema)).as("seed %s, names %s", seed, names).hasSize(1);
        assertThat(load(restored, schema, getOnlyElement(restored.listTables(schema))).rowGroups()).isEqualTo(ImmutableList.of(row));
    }

    private void rename(String schema, int times)
    {
        for (int i = 0; i < times; i++) {
            AlbisTable table = load(warehouse, schema, "t" + name);
            name++;
            warehouse.renameTable(table, schema, "t" + name);
        }
    }

    /**
     * Copies the files of some paths that the copy does not have. Hints are left out.
     */
    private void copy(Predicate<String> paths)
            throws IOException
    {
        FileIterator files = fileSystem.listFiles(ROOT);
        while (files.hasNext()) {
            Location location = files.next().location();
            if (!paths.test(location.path()) || location.fileName().equals("hint") || copy.newInputFile(location).exists()) {
                continue;
            }
            try (TrinoInputStream input = fileSystem.newInputFile(location).newStream()) {
                copy.newOutputFile(location).createOrOverwrite(input.readAllBytes());
            }
        }
    }
}
