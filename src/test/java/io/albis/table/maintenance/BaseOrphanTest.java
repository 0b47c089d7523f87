package io.albis.table.maintenance;

import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.RowGroup;
import io.albis.table.Warehouse;
import io.albis.table.model.CondemnedWrites;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;

/**
 * A table in whose folder are files that no version names.
 */
abstract class BaseOrphanTest
        extends BaseExpiryTest
{
    protected static final Instant PAST = Instant.EPOCH;

    /**
     * Removes all orphans, however young they are. Forgets everything that was condemned before.
     */
    protected final OrphanRemovalResult removeOrphans()
    {
        return removeOrphans(future());
    }

    protected final OrphanRemovalResult removeOrphans(Instant writtenBefore)
    {
        return warehouse.removeOrphans(table.created(), writtenBefore);
    }

    /**
     * Removes all orphans, and then also those that were too young for what had been condemned.
     */
    protected static void removeAll(Warehouse client, MaintainedTable table)
    {
        client.removeOrphans(table.created(), future());
        client.removeOrphans(table.created(), future());
    }

    protected final CondemnedWrites condemned()
    {
        return table.newest().condemned().orElse(CondemnedWrites.NONE);
    }

    /**
     * Returns an id of a file of a write.
     */
    protected static UUID idOf(UUID write)
    {
        return new UUID(write.getMostSignificantBits(), UUID.randomUUID().getLeastSignificantBits());
    }

    protected final RowGroup rowGroupOf(UUID write)
    {
        return table.rowGroup(idOf(write));
    }

    protected final void write(Location location)
            throws IOException
    {
        fileSystem.newOutputFile(location).createOrOverwrite(new byte[1]);
    }

    protected final boolean exists(Location location)
            throws IOException
    {
        return fileSystem.newInputFile(location).exists();
    }

    protected final boolean exists(RowGroup rowGroup)
            throws IOException
    {
        return exists(dataFile(rowGroup));
    }

    protected final Location dataFile(RowGroup rowGroup)
    {
        return rowGroup.dataFile(table.created().folder(), rowGroup.columnGroups().getFirst());
    }

    protected static Set<String> writesOf(UUID... ids)
    {
        ImmutableSet.Builder<String> writes = ImmutableSet.builder();
        for (UUID id : ids) {
            writes.add(CondemnedWrites.writeOf(id));
        }
        return writes.build();
    }
}
