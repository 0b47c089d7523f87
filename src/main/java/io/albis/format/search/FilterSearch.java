package io.albis.format.search;

import com.google.common.collect.ImmutableList;
import io.albis.format.predicate.ColumnFilter;
import io.albis.format.predicate.DistinctValueFilter;
import io.albis.format.request.ParallelReads;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import static java.util.Objects.requireNonNull;

/**
 * The search of an index for the rows that match a filter.
 *
 * @param search what the readers of the row group have found
 * @param fewestRows a number of rows that match at least
 * @param maxBytes the most bytes of each part of the index that the search reads
 */
record FilterSearch(ColumnFilter filter, SearchedIndex index, SharedSearch search, long fewestRows, long maxBytes)
        implements PositionSearch
{
    FilterSearch
    {
        requireNonNull(filter, "filter is null");
        requireNonNull(index, "index is null");
        requireNonNull(search, "search is null");
    }

    @Override
    public List<SharedSearch> shared()
    {
        return ImmutableList.of(search);
    }

    @Override
    public List<ColumnFilter> replaced()
    {
        return ImmutableList.of(filter);
    }

    @Override
    public Object condition()
    {
        return filter;
    }

    @Override
    public boolean testsValues()
    {
        return filter instanceof DistinctValueFilter;
    }

    @Override
    public long expectedRows()
    {
        return filter.expectedRows(index.reader());
    }

    @Override
    public void addCounts(ParallelReads reads, int maxRows)
    {
        reads.add(() -> count(maxRows));
    }

    @Override
    public OptionalInt count(int maxRows)
            throws IOException
    {
        if (fewestRows > maxRows) {
            return OptionalInt.empty();
        }
        return search.findValues(index.reader(), () -> filter.findValues(index.reader(), index.directory(), maxRows, maxBytes), maxRows);
    }

    @Override
    public long positionBytes()
    {
        return search.positionBytes();
    }

    @Override
    public Optional<RoaringBitmap> positions()
            throws IOException
    {
        return search.readPositions(index.reader(), maxBytes);
    }
}
