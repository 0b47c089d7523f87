package io.albis.table;

import io.albis.table.StorageFaults.Outcome;
import io.albis.table.maintenance.MaintainedTable;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
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
 * Storage fails while files of a table are deleted. The versions that the table keeps are readable, and the next run
 * deletes all that remains.
 */
abstract class BaseMaintenanceFaultsTest
{
    protected MaintainedTable table;
    private Set<UUID> rowGroups;

    /**
     * Writes the files that are then deleted.
     */
    protected abstract void prepare(MemoryFileSystem fileSystem, Warehouse warehouse)
            throws IOException;

    /**
     * Deletes files while the storage fails.
     */
    protected abstract void run(Warehouse warehouse);

    /**
     * Checks a table whose files were deleted without an error.
     */
    protected abstract void checkSuccess(AlbisTable loaded);

    /**
     * Deletes the files that remain, after an append.
     *
     * @param loaded the table before the append
     */
    protected abstract void runAgain(Warehouse warehouse, AlbisTable loaded);

    @Test
    @Timeout(300)
    final void testStorageFaults()
            throws IOException
    {
        everyFault(this::prepared, this::run, this::check);
    }

    private MemoryFileSystem prepared()
            throws IOException
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        table = MaintainedTable.create(fileSystem);
        Warehouse warehouse = warehouse(fileSystem);
        prepare(fileSystem, warehouse);
        rowGroups = rowGroupIds(load(warehouse, "s", "t"));
        return fileSystem;
    }

    private void check(Warehouse warehouse, Outcome outcome)
            throws IOException
    {
        AlbisTable loaded = load(warehouse, "s", "t");
        assertThat(rowGroupIds(loaded)).isEqualTo(rowGroups);
        table.checkReadable(Map.of());
        if (outcome == Outcome.SUCCESS) {
            checkSuccess(loaded);
            table.checkNoGarbage();
        }
        warehouse.append(loaded, rows(table.rowGroup()), ReadSet.BLIND);
        runAgain(warehouse, loaded);
        assertThat(rowGroupIds(load(warehouse, "s", "t"))).hasSize(rowGroups.size() + 1).containsAll(rowGroups);
        table.checkReadable(Map.of());
        table.checkNoGarbage();
    }

    protected static Instant future()
    {
        return Instant.now().plus(Duration.ofDays(1));
    }
}
