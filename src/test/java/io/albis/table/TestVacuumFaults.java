package io.albis.table;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.maintenance.VacuumResult;
import io.albis.table.model.NewTable;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

import static io.albis.table.StorageFaults.everyFault;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Storage fails during a vacuum. Tables keep their files, and the next vacuum frees all that remains.
 */
@Timeout(300)
final class TestVacuumFaults
{
    private MemoryFileSystem fileSystem;
    private NewTable load;
    private RowGroup loaded;
    private Set<String> kept;

    @Test
    void testStorageFaults()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.maintenance().vacuum(Optional.empty(), future()),
                (warehouse, outcome) -> {
                    checkKept();
                    VacuumResult rest = warehouse.maintenance().vacuum(Optional.empty(), future());
                    if (outcome == StorageFaults.Outcome.SUCCESS) {
                        assertThat(rest.freed()).isEmpty();
                    }
                    checkKept();
                    assertThat(warehouse.maintenance().vacuum(Optional.empty(), future()).freed()).isEmpty();
                    assertThat(warehouse.maintenance().findLostTables(Optional.empty())).hasSize(1);
                    assertThat(data()).isEqualTo(kept);
                    // The load is refused, whatever the vacuum has reported
                    assertRefused(CONFLICT, () -> warehouse.createTable(load, rows(loaded)));
                });
    }

    private MemoryFileSystem prepared()
            throws IOException
    {
        fileSystem = new MemoryFileSystem();
        Warehouse warehouse = warehouse(fileSystem);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        create(warehouse, "live");
        warehouse.maintenance().unregisterTable(create(warehouse, "unregistered"));
        kept = data();
        warehouse.dropTable(create(warehouse, "dropped"));
        load = warehouse.newTable("s", "load", DEFINITION);
        loaded = rowGroup(load.folder());
        return fileSystem;
    }

    private AlbisTable create(Warehouse warehouse, String name)
    {
        NewTable table = warehouse.newTable("s", name, DEFINITION);
        return warehouse.createTable(table, rows(rowGroup(table.folder())));
    }

    private RowGroup rowGroup(Location folder)
    {
        RowGroup rowGroup = oneRow();
        try {
            for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
                fileSystem.newOutputFile(rowGroup.dataFile(folder, columnGroup)).createOrOverwrite(new byte[1]);
                fileSystem.newOutputFile(rowGroup.metadataFile(folder, columnGroup)).createOrOverwrite(new byte[1]);
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rowGroup;
    }

    private void checkKept()
    {
        assertThat(load(warehouse(fileSystem), "s", "live").rowGroups()).hasSize(1);
        assertThat(data()).containsAll(kept);
    }

    /**
     * Returns the files of row groups and the manifests of all tables.
     */
    private Set<String> data()
    {
        try {
            return files(fileSystem, ROOT).keySet().stream()
                    .filter(file -> file.contains("/rg-") || file.contains("/manifests/"))
                    .collect(toSet());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Instant future()
    {
        return Instant.now().plus(Duration.ofDays(1));
    }
}
