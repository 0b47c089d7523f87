package io.albis.table;

import io.albis.format.metadata.RowGroup;
import io.albis.table.maintenance.MaintainedTable;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.ReadSet;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.TupleDomain;
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
 * Storage fails while old versions expire. The table keeps its rows and all versions that have not expired, and the
 * next expiry deletes all that remains.
 */
class TestExpiryFaults
{
    private static final ReadSet WHERE = ReadSet.ofDelete(TupleDomain.all());

    private MaintainedTable table;
    private Set<UUID> rowGroups;

    @Test
    @Timeout(300)
    void testStorageFaults()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.expireVersions(load(warehouse, "s", "t"), future(), 2),
                (warehouse, outcome) -> {
                    try {
                        AlbisTable loaded = load(warehouse, "s", "t");
                        assertThat(rowGroupIds(loaded)).isEqualTo(rowGroups);
                        table.checkReadable(Map.of());
                        if (outcome == StorageFaults.Outcome.SUCCESS) {
                            assertThat(loaded.version().isExpired(4)).isTrue();
                            table.checkNoGarbage();
                        }
                        warehouse.append(loaded, rows(table.rowGroup()), ReadSet.BLIND);
                        warehouse.expireVersions(loaded, future(), 1);
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
        RowGroup rowGroup = table.rowGroup();
        AlbisTable base = warehouse.append(table.created(), rows(rowGroup), ReadSet.BLIND);
        warehouse.change(base, table.delete(rowGroup, 3), WHERE);
        warehouse.truncate(base);
        warehouse.append(base, rows(table.rowGroup()), ReadSet.BLIND);
        warehouse.append(base, rows(table.rowGroup()), ReadSet.BLIND);
        rowGroups = rowGroupIds(load(warehouse, "s", "t"));
        return fileSystem;
    }

    private static Instant future()
    {
        return Instant.now().plus(Duration.ofDays(1));
    }
}
