package io.albis.trino.metadata;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.Warehouse;
import io.albis.table.name.NameEntry;
import io.albis.table.path.NumberedFiles;
import io.albis.trino.relation.TableLoader;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.connector.SchemaTableName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Optional;

import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.warehouse;
import static org.assertj.core.api.Assertions.assertThat;

final class TestSchemaRenameBesideDrop
{
    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);
    private final RowGroup row = oneRow();

    /**
     * DROP TABLE a.x has a handle of a damaged table with entry 1. Then the schemas swap their names.
     */
    @Test
    void testDropOfDamagedTable()
            throws IOException
    {
        createSchema("a");
        createTable(warehouse, "a", "x", row);
        createSchema("new");
        createTable(warehouse, "new", "x", row);
        overwrite(fileSystem, "memory:///warehouse/a/tables/x/" + NumberedFiles.fileName(1), new byte[] {1});
        swap();
        try {
            new SchemaOperations(warehouse, new TableLoader(warehouse)).dropUnreadableTable(new SchemaTableName("a", "x"), new NameEntry("a", 1));
        }
        catch (RuntimeException _) {
            // The table is gone
        }
        assertThat(warehouse.loadTable("a", "x")).isPresent();
    }

    /**
     * DROP SCHEMA a CASCADE has dropped one of two tables. Then the schemas swap their names.
     */
    @Test
    void testCascade()
    {
        createSchema("a");
        createTable(warehouse, "a", "x", row);
        createTable(warehouse, "a", "y", row);
        createSchema("new");
        createTable(warehouse, "new", "x", row);
        createTable(warehouse, "new", "y", row);
        // 1: the list of tables. 2 to 3: the first table
        int[] lists = {0};
        Warehouse client = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(HookedFileSystem.Operation operation)
            {
                if (operation.kind() == Kind.LIST && operation.location().toString().contains("/a/.schema") && ++lists[0] == 4) {
                    assertThat(warehouse.listTables("a")).hasSize(1);
                    swap();
                }
            }
        }));
        String failure = "";
        try {
            new SchemaOperations(client, new TableLoader(client)).drop("a", true);
        }
        catch (RuntimeException e) {
            failure = e.getMessage();
        }
        assertThat(lists[0]).isGreaterThanOrEqualTo(4);
        // One of the two schemas is untouched, whether the statement ran before or after the change
        assertThat(warehouse.listTables("old").size() == 2 || warehouse.listTables("a").size() == 2).as("old %s, a %s, failure %s", warehouse.listTables("old"), warehouse.listTables("a"), failure).isTrue();
    }

    private void swap()
    {
        warehouse.renameSchema("a", "old");
        warehouse.renameSchema("new", "a");
    }

    private void createSchema(String name)
    {
        warehouse.createSchema(name, Optional.empty(), ImmutableMap.of());
    }
}
