package io.albis.format.scan;

import io.albis.format.delete.DeletedPositions;
import io.albis.format.index.Directory;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.DeletedRows;
import io.trino.filesystem.Location;

import java.io.IOException;

/**
 * Provides readers with the metadata of column groups, with deleted rows, and with directories of indexes, from the
 * files or from a cache. Thread safe.
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
     * Reads the deleted rows of one row group.
     */
    @FunctionalInterface
    interface DeletesLoader
    {
        /**
         * Reads the file.
         */
        DeletedPositions load()
                throws IOException;
    }

    /**
     * Returns the deleted rows of a row group.
     *
     * @param location location of the file with the deleted rows
     * @param deletedRows reference to the deleted rows
     * @param rows number of rows of the row group
     * @param loader reads the file if the deleted rows are not in memory
     */
    default DeletedPositions deletes(Location location, DeletedRows deletedRows, long rows, DeletesLoader loader)
            throws IOException
    {
        return loader.load();
    }

    /**
     * Returns whether the reader can get deleted rows without a request of its own, as {@link #isPresent}.
     */
    default boolean hasDeletes(Location location, DeletedRows deletedRows, long rows)
    {
        return false;
    }

    /**
     * Reads the directory of an index.
     */
    @FunctionalInterface
    interface DirectoryLoader
    {
        Directory load()
                throws IOException;
    }

    /**
     * Returns the directory of the index of a column.
     *
     * @param location location of the data file
     * @param columnId id of the column
     * @param loader reads the directory if it is not in memory
     */
    default Directory directory(Location location, int columnId, DirectoryLoader loader)
            throws IOException
    {
        return loader.load();
    }

    /**
     * Returns whether the reader can get the metadata without a request of its own, because it is in memory or because
     * another reader has already requested it. This does not count as a use of a cached entry.
     */
    default boolean isPresent(Location location, int length)
    {
        return false;
    }
}
