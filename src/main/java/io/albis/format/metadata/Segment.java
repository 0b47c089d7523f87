package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A segment of one column group (Albis paper, section 3.2). Segment k has the same rows in all column groups of a
 * row group, in the same runs.
 *
 * @param runs at least one, back to back
 * @param statistics one for each column of the column group, in its order
 */
public record Segment(List<Run> runs, List<ColumnStatistics> statistics)
{
    public static final int MAX_ROWS = 65_536;

    public Segment
    {
        runs = ImmutableList.copyOf(runs);
        statistics = ImmutableList.copyOf(statistics);
        checkArgument(!runs.isEmpty(), "a segment has no run");
        for (int i = 1; i < runs.size(); i++) {
            checkArgument(runs.get(i).offset() == runs.get(i - 1).end(), "a run begins at %s, not at %s where the one before it ends", runs.get(i).offset(), runs.get(i - 1).end());
        }
        checkArgument(rows(runs) <= MAX_ROWS, "a segment has %s rows", rows(runs));
    }

    public int rows()
    {
        return rows(runs);
    }

    private static int rows(List<Run> runs)
    {
        int rows = 0;
        for (Run run : runs) {
            rows += run.rows();
        }
        return rows;
    }

    public long offset()
    {
        return runs.getFirst().offset();
    }

    public long end()
    {
        return runs.getLast().end();
    }

    /**
     * Bytes with padding.
     */
    public long length()
    {
        return end() - offset();
    }
}
