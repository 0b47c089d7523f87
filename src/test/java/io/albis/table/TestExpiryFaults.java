package io.albis.table;

import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;

import static io.albis.table.TableFixtures.load;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Storage fails while old versions expire. The table keeps its rows and all versions that have not expired, and the
 * next expiry deletes all that remains.
 */
class TestExpiryFaults
        extends BaseMaintenanceFaultsTest
{
    @Override
    protected void prepare(MemoryFileSystem fileSystem, Warehouse warehouse)
    {
        table.writeVersions(2);
    }

    @Override
    protected void run(Warehouse warehouse)
    {
        warehouse.expireVersions(load(warehouse, "s", "t"), future(), 2);
    }

    @Override
    protected void checkSuccess(AlbisTable loaded)
    {
        assertThat(loaded.version().isExpired(4)).isTrue();
    }

    @Override
    protected void runAgain(Warehouse warehouse, AlbisTable loaded)
    {
        warehouse.expireVersions(loaded, future(), 1);
    }
}
