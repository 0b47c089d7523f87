package io.albis.format.run;

import java.io.IOException;

/**
 * Determines the positions of the rows of a batch in their row group.
 */
@FunctionalInterface
public interface RowPositions
{
    /**
     * Returns the position of each row.
     */
    long[] of(SegmentRows rows)
            throws IOException;

    /**
     * Returns the positions of the rows of a segment.
     *
     * @param begin position of the first row of the segment
     */
    static RowPositions inSegment(long begin)
    {
        return rows -> {
            long[] positions = new long[rows.count()];
            for (int i = 0; i < positions.length; i++) {
                positions[i] = begin + rows.get(i);
            }
            return positions;
        };
    }

    /**
     * Returns some elements of an array.
     */
    static long[] select(long[] positions, SegmentRows rows)
    {
        long[] selected = new long[rows.count()];
        for (int i = 0; i < selected.length; i++) {
            selected[i] = positions[rows.get(i)];
        }
        return selected;
    }
}
