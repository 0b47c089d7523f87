package io.albis.table.put;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/**
 * Creates files in object stores, which have an atomic operation for it.
 */
public final class PutByExclusiveCreate
        implements PutIfAbsent
{
    private final TrinoFileSystem fileSystem;

    public PutByExclusiveCreate(TrinoFileSystem fileSystem)
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
