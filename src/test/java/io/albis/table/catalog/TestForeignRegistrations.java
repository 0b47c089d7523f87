package io.albis.table.catalog;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.Warehouse;
import io.albis.table.model.TableDefinition;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.LOCATION_NOT_ALLOWED;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tables that belong to another warehouse cannot be registered in this one.
 */
final class TestForeignRegistrations
{
    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);
    private final RowGroup row = oneRow();

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        createTable(warehouse, "s", "t", row);
    }

    private static void register(Warehouse warehouse, String name, AlbisTable table)
    {
        warehouse.maintenance().registerTable("s", name, table.folder().toString());
    }

    @Test
    void testLocationOutside()
    {
        String folder = "memory:///secret/t-" + UUID.randomUUID();
        assertRefused(LOCATION_NOT_ALLOWED, () -> warehouse.maintenance().registerTable("s", "u", folder));
    }

    /**
     * A table inside of another warehouse has no id of a warehouse, so only its location shows the owner.
     */
    @Test
    void testTableOfAnotherWarehouse()
    {
        Warehouse other = new Warehouse(fileSystem, Location.of("memory:///own/other"), TYPE_RESOLVER);
        other.createSchema("s", Optional.empty(), ImmutableMap.of());
        AlbisTable foreign = createTable(other, "s", "t", row);
        other.maintenance().unregisterTable(foreign);
        assertRefused(NOT_SUPPORTED, () -> register(warehouse, "u", foreign));
        assertThat(warehouse.listTables("s")).containsExactly("t");
        register(other, "t", foreign);
    }

    /**
     * The names in a table of a warehouse inside of this one are those of that warehouse.
     */
    @Test
    void testTableOfAWarehouseInside()
    {
        Warehouse inside = new Warehouse(fileSystem, Location.of("memory:///warehouse/inside"), TYPE_RESOLVER);
        inside.createSchema("x", Optional.empty(), ImmutableMap.of());
        AlbisTable live = createTable(inside, "x", "live", row);
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), DEFINITION.properties(), DEFINITION.comment(), Optional.of("memory:///warehouse/inside/location"));
        AlbisTable located = inside.createTable(inside.newTable("x", "located", definition), rows(row));
        for (AlbisTable foreign : List.of(live, located)) {
            assertRefused(NOT_SUPPORTED, () -> register(warehouse, "u", foreign));
            inside.maintenance().unregisterTable(foreign);
            assertRefused(NOT_SUPPORTED, () -> register(warehouse, "u", foreign));
        }
        assertThat(warehouse.listTables("s")).containsExactly("t");
        inside.maintenance().registerTable("x", "live", live.folder().toString());
    }
}
