package io.albis.table.put;

import io.trino.filesystem.Location;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;

/**
 * Creates a file atomically with its whole content, unless it exists. If several writers on any machines try at the
 * same time, exactly one succeeds. Readers never see a part of a file.
 */
public interface PutIfAbsent
{
    /**
     * Creates a file.
     *
     * @throws FileAlreadyExistsException if the file exists
     * @throws UnsupportedOperationException if the file system does not support the operation
     * @throws NotPutException if this call did not create the file, and cannot create it later
     * @throws IOException if it is unknown whether the file was created or will be created later
     */
    void create(Location location, byte[] data)
            throws IOException;

    /**
     * Ensures that an existing file survives a power failure. A commit is acknowledged only after this.
     *
     * @throws IOException if the file may not survive a power failure
     */
    default void makeDurable(Location location)
            throws IOException
    {}

    /**
     * Returns whether a failure of {@link #create} means that the file existed before, provided that the storage works.
     */
    default boolean isRefusal(IOException failure)
    {
        return failure instanceof FileAlreadyExistsException;
    }

    /**
     * Returns whether a failure of {@link #create} means that the storage does not support the operation, provided that
     * the file does not exist afterwards.
     */
    default boolean isMissing(IOException failure)
    {
        return false;
    }

    /**
     * Returns an identifier of the storage that holds a location. All locations with the same identifier support the
     * same operations.
     *
     * @throws IOException if the storage cannot be determined
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
