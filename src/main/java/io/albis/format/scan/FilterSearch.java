package io.albis.format.scan;

import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

import static java.util.Objects.requireNonNull;

/**
 * The search of an index for the rows that match a filter. It reads at most as many bytes as the column has in the runs
 * that may contain these rows.
 *
 * @param shared what the readers of the row group have found
 * @param fewestRows a number of rows that match at least
 * @param maxBytes the most bytes of the values and of the positions
 */
record FilterSearch(ColumnFilter filter, SearchedIndex index, SharedSearch shared, long fewestRows, long maxBytes)
{
    FilterSearch
    {
        requireNonNull(filter, "filter is null");
        requireNonNull(index, "index is null");
        requireNonNull(shared, "shared is null");
    }

    /**
     * Returns an estimate of the rows that match, to compare searches.
     */
    long expectedRows()
    {
        return filter.expectedRows(index.reader());
    }

    /**
     * Returns the number of rows that match.
     *
     * @return empty if there are more than the limit, or if it is faster to read the column
     */
    OptionalInt count(int maxRows)
            throws IOException
    {
        if (fewestRows > maxRows) {
            return OptionalInt.empty();
        }
        return shared.findValues(index, filter, maxRows, maxBytes);
    }

    /**
     * Returns the number of bytes of the positions that have not been read. The rows must have been counted.
     */
    long positionBytes()
    {
        return shared.positionBytes();
    }

    /**
     * Returns the positions of the rows that match. They must have been counted.
     *
     * @return a bitmap that must not be changed; empty if it is faster to read the column
     */
    Optional<RoaringBitmap> positions()
            throws IOException
    {
        return shared.readPositions(index.reader(), maxBytes);
    }
}
