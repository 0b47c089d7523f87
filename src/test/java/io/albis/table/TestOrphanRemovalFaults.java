package io.albis.table;

import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;

import java.io.IOException;
import java.time.Instant;
import java.util.UUID;

import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.rows;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Storage fails while orphans are removed. All versions keep their files, and the next removal deletes all that
 * remains.
 */
class TestOrphanRemovalFaults
        extends BaseMaintenanceFaultsTest
{
    @Override
    protected void prepare(MemoryFileSystem fileSystem, Warehouse warehouse)
            throws IOException
    {
        warehouse.append(table.created(), rows(table.rowGroup()), ReadSet.BLIND);
        // What failed statements have left
        table.rowGroup();
        table.rowGroup();
        table.delete(table.created().rowGroups().getFirst(), 0);
        fileSystem.newOutputFile(table.paths().manifest(UUID.randomUUID())).createOrOverwrite(new byte[1]);
    }

    @Override
    protected void run(Warehouse warehouse)
    {
        warehouse.removeOrphans(load(warehouse, "s", "t"), future());
    }

    @Override
    protected void checkSuccess(AlbisTable loaded)
    {
        assertThat(loaded.version().isExpired(1)).isFalse();
    }

    @Override
    protected void runAgain(Warehouse warehouse, AlbisTable loaded)
    {
        // What was condemned needs no other commit
        long version = table.newest().version();
        boolean condemned = table.newest().condemned().isPresent();
        warehouse.removeOrphans(loaded, condemned ? Instant.EPOCH : future());
        assertThat(table.newest().version()).isEqualTo(condemned ? version : version + 1);
    }
}
