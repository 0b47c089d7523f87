package io.albis.format.run;

/**
 * The rows of a segment (Albis paper, section 3.2). Segment k has the same rows in all column groups of a row group.
 */
public final class Segment
{
    public static final int MAX_ROWS = 65_536;
    public static final int MAX_RUNS = MAX_ROWS / Run.MAX_ROWS;

    private Segment() {}

    /**
     * In how many runs so many rows stand.
     */
    public static int runs(int rows)
    {
        return (rows + Run.MAX_ROWS - 1) / Run.MAX_ROWS;
    }

    /**
     * How many of the rows of a segment stand in a run.
     */
    public static int runRows(int rows, int run)
    {
        return Math.min(Run.MAX_ROWS, rows - run * Run.MAX_ROWS);
    }
}
