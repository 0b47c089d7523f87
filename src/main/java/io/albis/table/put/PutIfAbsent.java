package io.albis.table.put;

import io.trino.filesystem.Location;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;

/**
 * Creates a file with its whole content, unless there is one of that name already: of several that try at once, on
 * whatever machine, one succeeds, and nobody ever sees a part of a file.
 */
public interface PutIfAbsent
{
    /**
     * @throws FileAlreadyExistsException if there is such a file
     * @throws UnsupportedOperationException if the file system cannot do it after all
     * @throws NotPutException if the file was not created and will not be
     * @throws IOException if the file may have been created or not, now or later
     */
    void create(Location location, byte[] data)
            throws IOException;

    /**
     * Makes sure that a file that is there is there after a power failure too. Nobody is told of a commit before.
     *
     * @throws IOException if it may not be
     */
    default void makeDurable(Location location)
            throws IOException
    {}

    /**
     * Whether a failure of {@link #create} says that there was such a file already, if it was no failure of the
     * storage.
     */
    default boolean isRefusal(IOException failure)
    {
        return failure instanceof FileAlreadyExistsException;
    }

    /**
     * Whether a failure of {@link #create} says that the storage is there and cannot do it, if it is not there later
     * either.
     */
    default boolean isMissing(IOException failure)
    {
        return false;
    }

    /**
     * What a location has in common with others where the same is possible.
     */
    default String storage(Location location)
            throws IOException
    {
        return "%s://%s@%s:%s".formatted(
                location.scheme().orElse(""),
                location.userInfo().orElse(""),
                location.host().orElse(""),
                location.port().stream().mapToObj(String::valueOf).findFirst().orElse(""));
    }
}
