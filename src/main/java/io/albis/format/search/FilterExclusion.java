package io.albis.format.search;

import io.albis.format.predicate.ColumnFilter;
import io.albis.format.predicate.RowExclusion;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

import static java.util.Objects.requireNonNull;

/**
 * The search of an index for rows that do not match a filter.
 *
 * @param exclusion how the index finds them
 * @param search what the readers of the row group have found
 * @param fewestRows a number of rows that match at least
 * @param maxBytes the most bytes of each part of the index that the search reads
 */
record FilterExclusion(ColumnFilter filter, SearchedIndex index, RowExclusion exclusion, SharedSearch search, long fewestRows, long maxBytes)
{
    FilterExclusion
    {
        requireNonNull(filter, "filter is null");
        requireNonNull(index, "index is null");
        requireNonNull(exclusion, "exclusion is null");
        requireNonNull(search, "search is null");
    }

    /**
     * Returns the number of rows that do not match.
     *
     * @return empty if it is faster to read the column
     */
    OptionalInt count()
            throws IOException
    {
        return search.findValues(index.reader(), () -> exclusion.search().find(index.directory(), maxBytes), Integer.MAX_VALUE);
    }

    /**
     * Returns the positions of the rows that do not match. They must have been counted.
     *
     * @return a bitmap that must not be changed; empty if it is faster to read the column
     */
    Optional<RoaringBitmap> positions()
            throws IOException
    {
        return search.readPositions(index.reader(), maxBytes);
    }
}
