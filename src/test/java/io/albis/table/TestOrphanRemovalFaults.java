package io.albis.table;

import io.albis.table.maintenance.MaintainedTable;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.ReadSet;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.StorageFaults.everyFault;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Storage fails while orphans are removed. All versions keep their files, and the next removal deletes all that
 * remains.
 */
class TestOrphanRemovalFaults
{
    private MaintainedTable table;
    private Set<UUID> rowGroups;

    @Test
    @Timeout(300)
    void testStorageFaults()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.removeOrphans(load(warehouse, "s", "t"), future()),
                (warehouse, outcome) -> {
                    try {
                        AlbisTable loaded = load(warehouse, "s", "t");
                        assertThat(rowGroupIds(loaded)).isEqualTo(rowGroups);
                        table.checkReadable(Map.of());
                        if (outcome == StorageFaults.Outcome.SUCCESS) {
                            table.checkNoGarbage();
                        }
                        warehouse.append(loaded, rows(table.rowGroup()), ReadSet.BLIND);
                        // What was condemned needs no other commit
                        long version = table.newest().version();
                        boolean condemned = table.newest().condemned().isPresent();
                        warehouse.removeOrphans(loaded, condemned ? Instant.EPOCH : future());
                        assertThat(table.newest().version()).isEqualTo(condemned ? version : version + 1);
                        assertThat(rowGroupIds(load(warehouse, "s", "t"))).hasSize(rowGroups.size() + 1).containsAll(rowGroups);
                        table.checkReadable(Map.of());
                        table.checkNoGarbage();
                    }
                    catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private MemoryFileSystem prepared()
            throws IOException
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        table = MaintainedTable.create(fileSystem);
        Warehouse warehouse = warehouse(fileSystem);
        warehouse.append(table.created(), rows(table.rowGroup()), ReadSet.BLIND);
        rowGroups = rowGroupIds(load(warehouse, "s", "t"));
        // What failed statements have left
        table.rowGroup();
        table.rowGroup();
        table.delete(table.created().rowGroups().getFirst(), 0);
        fileSystem.newOutputFile(table.paths().manifest(UUID.randomUUID())).createOrOverwrite(new byte[1]);
        return fileSystem;
    }

    private static Instant future()
    {
        return Instant.now().plus(Duration.ofDays(1));
    }
}
