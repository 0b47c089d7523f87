package io.albis.table;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/**
 * Object stores have an operation for it.
 */
final class PutByExclusiveCreate
        implements PutIfAbsent
{
    private final TrinoFileSystem fileSystem;

    PutByExclusiveCreate(TrinoFileSystem fileSystem)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
    }

    @Override
    public void create(Location location, byte[] data)
            throws IOException
    {
        fileSystem.newOutputFile(location).createExclusive(data);
    }
}
