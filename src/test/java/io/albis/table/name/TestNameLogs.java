package io.albis.table.name;

import com.google.common.collect.ImmutableMap;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.model.TableRows;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.warehouse;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What remains of a name that is used again and again, and what this costs.
 */
final class TestNameLogs
{
    private static final int REPETITIONS = 30;
    private static final int MAX_ENTRY_BYTES = 600;

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    @Test
    void testDropAndCreate()
            throws IOException
    {
        createTable(warehouse, "s", "t", oneRow());
        List<Kind> before = operationsOfLoad();
        // Of the entries of the schema, and of those of the table
        assertThat(before).filteredOn(Kind.LIST::equals).hasSize(2);
        assertThat(entries("t")).hasSize(1);
        for (int i = 0; i < REPETITIONS; i++) {
            warehouse.dropTable(load(warehouse, "s", "t"));
            createTable(warehouse, "s", "t", oneRow());
        }
        assertThat(entries("t")).hasSize(1 + 2 * REPETITIONS);
        assertThat(entries("t").values()).allMatch(entry -> entry.length <= MAX_ENTRY_BYTES);
        // The listing has more entries, and only the last one is read
        assertThat(operationsOfLoad()).isEqualTo(before);
    }

    @Test
    void testRename()
            throws IOException
    {
        createTable(warehouse, "s", "t", oneRow());
        for (int i = 0; i < REPETITIONS; i++) {
            warehouse.renameTable(load(warehouse, "s", "t"), "s", "u");
            warehouse.renameTable(load(warehouse, "s", "u"), "s", "t");
        }
        assertThat(entries("t")).hasSize(1 + 2 * REPETITIONS);
        assertThat(entries("u")).hasSize(2 * REPETITIONS);
    }

    @Test
    void testReplace()
            throws IOException
    {
        createTable(warehouse, "s", "t", oneRow());
        for (int i = 0; i < REPETITIONS; i++) {
            warehouse.replaceTable(load(warehouse, "s", "t"), DEFINITION, TableRows.NONE, false);
        }
        assertThat(entries("t")).hasSize(1);
    }

    private Map<String, byte[]> entries(String table)
            throws IOException
    {
        return files(fileSystem, ROOT.appendPath("s/tables").appendPath(table));
    }

    private List<Kind> operationsOfLoad()
    {
        List<Kind> operations = new ArrayList<>();
        load(warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
            {
                operations.add(operation.kind());
            }
        })), "s", "t");
        return operations;
    }
}
