package io.albis.format.scan;

import io.albis.format.metadata.ColumnGroupMetadata;
import io.trino.filesystem.Location;

import java.io.IOException;

/**
 * Where readers get the metadata of column groups from: the files, or a cache in front of them. Thread safe.
 */
@FunctionalInterface
public interface MetadataSource
{
    /**
     * Reads each file each time.
     */
    MetadataSource FILES = (_, _, loader) -> loader.load();

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
     * @param length bytes that the file must have
     */
    ColumnGroupMetadata get(Location location, int length, Loader loader)
            throws IOException;

    /**
     * Whether the metadata is there without a request to storage of this reader, as another may have begun one. Does not count as
     * a use.
     */
    default boolean isPresent(Location location, int length)
    {
        return false;
    }
}
