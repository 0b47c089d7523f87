package io.albis.table;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.name.NameEntry;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

import static io.albis.table.StorageFaults.everyFault;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Storage fails while a table loses or gets a name.
 */
@Timeout(300)
final class TestRegistrationFaults
{
    private RowGroup row;
    private String folder;

    @Test
    void testUnregister()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.maintenance().unregisterTable(load(warehouse, "s", "t")),
                (warehouse, outcome) -> {
                    Optional<AlbisTable> table = warehouse.loadTable("s", "t");
                    outcome.check(table.isEmpty());
                    if (table.isEmpty()) {
                        // The name is free, whether or not its entry was ended
                        createTable(warehouse, "s", "t");
                        warehouse.maintenance().registerTable("s", "u", folder);
                        assertThat(load(warehouse, "s", "u").rowGroups()).containsExactly(row);
                    }
                    else {
                        assertThat(table.get().rowGroups()).containsExactly(row);
                        warehouse.dropTable(table.get());
                    }
                });
    }

    @Test
    void testRegister()
            throws IOException
    {
        testRegister(warehouse -> warehouse.maintenance().unregisterTable(load(warehouse, "s", "t")));
    }

    @Test
    void testRegisterLostTable()
            throws IOException
    {
        testRegister(warehouse -> warehouse.dropDamagedTable("s", "t", new NameEntry("s", 1)));
    }

    private void testRegister(Consumer<Warehouse> prepare)
            throws IOException
    {
        everyFault(
                () -> {
                    MemoryFileSystem fileSystem = prepared();
                    prepare.accept(warehouse(fileSystem));
                    return fileSystem;
                },
                warehouse -> warehouse.maintenance().registerTable("s", "u", folder),
                (warehouse, outcome) -> {
                    Optional<AlbisTable> table = warehouse.loadTable("s", "u");
                    outcome.check(table.isPresent());
                    if (table.isEmpty()) {
                        warehouse.maintenance().registerTable("s", "u", folder);
                    }
                    warehouse.append(load(warehouse, "s", "u"), rows(oneRow()), ReadSet.BLIND);
                    assertThat(rowGroupIds(load(warehouse, "s", "u"))).hasSize(2).contains(row.id());
                    assertThat(warehouse.listTables("s")).containsExactly("u");
                    warehouse.dropTable(load(warehouse, "s", "u"));
                    warehouse.dropSchema("s");
                });
    }

    private MemoryFileSystem prepared()
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        Warehouse warehouse = warehouse(fileSystem);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        row = oneRow();
        folder = createTable(warehouse, "s", "t", row).folder().toString();
        return fileSystem;
    }
}
