package io.albis.format.run;

/**
 * Limits and arithmetic for segments (Albis paper, section 3.2). Segment k has the same rows in all column groups of a
 * row group.
 */
public final class Segment
{
    public static final int MAX_ROWS = 65_536;
    public static final int MAX_RUNS = MAX_ROWS / Run.MAX_ROWS;
    /**
     * Number of zeros after the last segment of a data file. A reader of a mapped file may therefore load a whole
     * vector at any value.
     */
    public static final int END_SLACK = 64;

    private Segment() {}

    /**
     * Returns the number of runs of a segment with the given number of rows.
     */
    public static int runs(int rows)
    {
        return (rows + Run.MAX_ROWS - 1) / Run.MAX_ROWS;
    }

    /**
     * Returns a bit for each run of a segment with the given number of rows.
     */
    public static int allRuns(int rows)
    {
        return (1 << runs(rows)) - 1;
    }

    /**
     * Returns the number of rows of a run.
     *
     * @param rows number of rows of the segment
     * @param run index of the run in the segment
     */
    public static int runRows(int rows, int run)
    {
        return Math.min(Run.MAX_ROWS, rows - run * Run.MAX_ROWS);
    }
}
