package io.albis.table.catalog;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.Warehouse;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;

import java.util.Optional;

import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.warehouse;

/**
 * A table {@code s.t} with one row group, in a warehouse with the schemas {@code s} and {@code z}.
 */
abstract class BaseRegistrationTest
{
    MemoryFileSystem fileSystem;
    Warehouse warehouse;
    RowGroup row;
    AlbisTable table;

    @BeforeEach
    void setUp()
    {
        fileSystem = new MemoryFileSystem();
        warehouse = warehouse(fileSystem);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        warehouse.createSchema("z", Optional.empty(), ImmutableMap.of());
        row = oneRow();
        table = createTable(warehouse, "s", "t", row);
    }

    static void register(Warehouse warehouse, String name, AlbisTable table)
    {
        warehouse.maintenance().registerTable("s", name, table.folder().toString());
    }

    static void unregister(Warehouse warehouse, String name)
    {
        warehouse.maintenance().unregisterTable(load(warehouse, "s", name));
    }
}
