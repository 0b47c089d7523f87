package io.albis.format.scan;

import io.albis.format.run.SegmentShare;

import java.util.stream.IntStream;

/**
 * The segments that a scan reads.
 *
 * @param rows the number of rows of each segment of the row group
 * @param segments the segments to read, in this order
 * @param ascending whether they follow each other in the row group
 */
record SegmentSequence(int[] rows, int[] segments, boolean ascending)
{
    /**
     * Returns the segments of a share in the order of the row group.
     */
    static SegmentSequence of(int[] rows, SegmentShare share)
    {
        return new SegmentSequence(rows, IntStream.range(share.begin(rows.length), share.end(rows.length)).toArray(), true);
    }

    /**
     * Returns the first segment, or 0 if there is none.
     */
    int first()
    {
        return segments.length == 0 ? 0 : segments[0];
    }

    /**
     * Returns the index after the last segment to read ahead. Which segments follow in another order depends on what
     * the first ones contain.
     */
    int endAhead()
    {
        return ascending ? first() + segments.length : 0;
    }
}
