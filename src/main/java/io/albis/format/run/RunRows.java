package io.albis.format.run;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Those of the {@link SegmentRows} that are in one run and next to each other in the list.
 *
 * @param run index of the run in its segment
 * @param begin index of the first of these rows in the list
 * @param end index after the last of these rows in the list
 * @param ranges the rows as ranges, if it is faster to decode the rows between them too
 */
public record RunRows(int run, int begin, int end, Optional<RowRanges> ranges)
{
    public RunRows
    {
        requireNonNull(ranges, "ranges is null");
    }

    /**
     * Returns the number of rows.
     */
    public int count()
    {
        return end - begin;
    }

    /**
     * Returns the number of ranges, or of rows if they are not ranges.
     */
    public int pieces()
    {
        return ranges.isPresent() ? ranges.get().size() : count();
    }

    /**
     * Returns the number of values that are decoded at a time.
     */
    int span()
    {
        return ranges.isPresent() ? ranges.get().span() : count();
    }
}
