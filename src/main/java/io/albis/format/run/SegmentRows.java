package io.albis.format.run;

import jakarta.annotation.Nullable;

import static java.util.Objects.checkFromIndexSize;

/**
 * Rows of a segment, in the order in which they are wanted.
 *
 * @param rows their numbers in the segment; null for all from {@code begin} on
 * @param begin where in {@code rows} they begin, or the first row; that is the first of a run
 * @param count how many; without {@code rows} those of one run
 */
public record SegmentRows(@Nullable int[] rows, int begin, int count)
{
    private static final int RUN_SHIFT = Integer.numberOfTrailingZeros(Run.MAX_ROWS);
    private static final int RUN_MASK = Run.MAX_ROWS - 1;

    /**
     * All rows of a run.
     */
    public static SegmentRows ofRun(int run, int count)
    {
        return new SegmentRows(null, run << RUN_SHIFT, count);
    }

    public static int run(int row)
    {
        return row >>> RUN_SHIFT;
    }

    public static int inRun(int row)
    {
        return row & RUN_MASK;
    }

    public int get(int position)
    {
        return rows == null ? begin + position : rows[begin + position];
    }

    /**
     * The run of the last row.
     */
    public int lastRun()
    {
        return run(get(count - 1));
    }

    public int end()
    {
        return begin + count;
    }

    /**
     * Index in {@code rows} behind the last of the rows from {@code from} on that stand in the same run.
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
     * Some of these rows.
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
