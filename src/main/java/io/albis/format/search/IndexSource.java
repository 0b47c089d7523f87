package io.albis.format.search;

import io.albis.format.schema.AlbisColumn;

import java.io.IOException;
import java.util.Optional;

/**
 * Opens the indexes of columns.
 */
@FunctionalInterface
public interface IndexSource
{
    /**
     * Returns the index of a column whose reader is open.
     *
     * @return empty if the row group has no index of the column
     */
    Optional<SearchedIndex> index(AlbisColumn column)
            throws IOException;
}
