package io.albis.table.maintenance;

import io.albis.format.metadata.RowGroup;
import io.albis.table.Warehouse;
import io.albis.table.alter.Change.CreateTag;
import io.albis.table.alter.Change.DropTag;
import io.albis.table.model.TableException;
import io.albis.table.row.ReadSet;
import io.albis.table.row.ReadSet.Scan;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.TupleDomain;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;

/**
 * A table whose versions expire, and what its clients do.
 */
abstract class BaseExpiryTest
{
    protected static final ReadSet WHERE = ReadSet.ofDelete(Scan.of(TupleDomain.all()));
    protected static final String TAG = "kept";

    protected MemoryFileSystem fileSystem;
    protected Warehouse warehouse;
    protected MaintainedTable table;
    /**
     * Ids of the row groups of the versions that {@link #append()} has created, by version.
     */
    protected final Map<Long, Set<UUID>> states = new HashMap<>();

    protected BaseExpiryTest()
    {
        recreate();
    }

    /**
     * Creates the table again in an empty warehouse.
     */
    protected final void recreate()
    {
        fileSystem = new MemoryFileSystem();
        warehouse = warehouse(fileSystem);
        table = MaintainedTable.create(fileSystem);
        states.clear();
    }

    protected final AlbisTable load()
    {
        return warehouse.loadTable("s", "t").orElseThrow();
    }

    protected final void append()
    {
        append(warehouse);
        AlbisTable appended = load();
        states.put(appended.version().version(), rowGroupIds(appended));
    }

    protected final void append(Warehouse client)
    {
        RowGroup rowGroup = table.rowGroup();
        try {
            client.append(load(), rows(rowGroup), ReadSet.BLIND);
        }
        catch (TableException e) {
            // As the connector does
            table.remove(rowGroup);
            throw e;
        }
    }

    /**
     * Appends row groups until the table has a version.
     */
    protected final void appendTo(long version)
    {
        while (table.newest().version() < version) {
            append();
        }
    }

    protected final void createTag(Warehouse client, long version)
    {
        client.alter(table.created(), new CreateTag(TAG, OptionalLong.of(version)));
    }

    protected final void dropTag(Warehouse client)
    {
        client.alter(table.created(), new DropTag(TAG));
    }

    /**
     * Expires all versions but the last ones.
     */
    protected final ExpiryResult expire(int retainLast)
    {
        return expire(warehouse, retainLast);
    }

    protected final ExpiryResult expire(Warehouse client, int retainLast)
    {
        return client.expireVersions(table.created(), future(), retainLast);
    }

    protected static Instant future()
    {
        return Instant.now().plus(Duration.ofDays(1));
    }

    /**
     * Waits until a file that is written now is later than those that exist.
     */
    protected static void awaitClock()
    {
        Instant end = Instant.now().plusMillis(5);
        while (!Instant.now().isAfter(end)) {
            Thread.onSpinWait();
        }
    }
}
