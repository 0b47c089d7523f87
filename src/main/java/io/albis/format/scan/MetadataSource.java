package io.albis.format.scan;

import io.albis.format.metadata.ColumnGroupMetadata;
import io.trino.filesystem.Location;

import java.io.IOException;

/**
 * Provides readers with the metadata of column groups, from the files or from a cache. Thread safe.
 */
@FunctionalInterface
public interface MetadataSource
{
    /**
     * Reads the file for each call.
     */
    MetadataSource FILES = (_, _, loader) -> loader.load();

    /**
     * Reads the metadata of one column group.
     */
    @FunctionalInterface
    interface Loader
    {
        /**
         * Reads the file.
         */
        ColumnGroupMetadata load()
                throws IOException;
    }

    /**
     * Returns the metadata in a file.
     *
     * @param length the expected length of the file in bytes
     * @param loader reads the file if the metadata is not in memory
     */
    ColumnGroupMetadata get(Location location, int length, Loader loader)
            throws IOException;

    /**
     * Returns whether the reader can get the metadata without a request of its own, because it is in memory or because
     * another reader has already requested it. This does not count as a use of a cached entry.
     */
    default boolean isPresent(Location location, int length)
    {
        return false;
    }
}
