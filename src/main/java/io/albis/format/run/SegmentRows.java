package io.albis.format.run;

import jakarta.annotation.Nullable;

import static java.util.Objects.checkFromIndexSize;

/**
 * Rows of a segment, in the order in which they are requested.
 *
 * @param rows indexes of the rows in the segment, or null for consecutive rows
 * @param begin index of the first element in {@code rows}; without {@code rows}, the first row, which is the first row
 *         of a run
 * @param count number of rows; without {@code rows}, the number of rows of one run
 */
public record SegmentRows(@Nullable int[] rows, int begin, int count)
{
    private static final int RUN_SHIFT = Integer.numberOfTrailingZeros(Run.MAX_ROWS);
    private static final int RUN_MASK = Run.MAX_ROWS - 1;

    /**
     * Returns all rows of a run.
     */
    public static SegmentRows ofRun(int run, int count)
    {
        return new SegmentRows(null, run << RUN_SHIFT, count);
    }

    /**
     * Returns the run that contains a row of the segment.
     */
    public static int run(int row)
    {
        return row >>> RUN_SHIFT;
    }

    /**
     * Returns the index within its run of a row of the segment.
     */
    public static int inRun(int row)
    {
        return row & RUN_MASK;
    }

    /**
     * Returns the index in the segment of the row at a position of this list.
     */
    public int get(int position)
    {
        return rows == null ? begin + position : rows[begin + position];
    }

    /**
     * Returns the run of the last row.
     */
    public int lastRun()
    {
        return run(get(count - 1));
    }

    /**
     * Returns the end of the range in {@code rows}, exclusive.
     */
    public int end()
    {
        return begin + count;
    }

    /**
     * Returns the index in {@code rows} after the last of the rows starting at {@code from} that belong to the same
     * run.
     */
    public int runEnd(int from)
    {
        int run = run(rows[from]);
        int to = from + 1;
        while (to < end() && run(rows[to]) == run) {
            to++;
        }
        return to;
    }

    /**
     * Returns the run of all rows, or a negative number if they belong to several runs.
     */
    public int onlyRun()
    {
        return rows == null || (count > 0 && runEnd(begin) == end()) ? run(get(0)) : -1;
    }

    /**
     * Returns a subset of these rows.
     *
     * @param positions positions within these rows
     */
    public SegmentRows select(int[] positions, int offset, int size)
    {
        checkFromIndexSize(offset, size, positions.length);
        int[] selected = new int[size];
        for (int i = 0; i < size; i++) {
            selected[i] = get(positions[offset + i]);
        }
        return new SegmentRows(selected, 0, size);
    }
}
