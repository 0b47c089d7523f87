package io.albis.table;

import io.trino.filesystem.Location;

import java.io.IOException;

/**
 * Creates a file with its whole content, unless there is one of that name already: of several that try at once, on
 * whatever machine, one succeeds, and nobody ever sees a part of a file.
 */
interface PutIfAbsent
{
    /**
     * @throws java.nio.file.FileAlreadyExistsException if there is such a file
     * @throws UnsupportedOperationException if the file system cannot do it after all
     * @throws NotPutException if the file was not created and will not be
     * @throws IOException if the file may have been created or not, now or later
     */
    void create(Location location, byte[] data)
            throws IOException;
}
