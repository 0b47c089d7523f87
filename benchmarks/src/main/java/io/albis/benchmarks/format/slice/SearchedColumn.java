package io.albis.benchmarks.format.slice;

import com.google.common.base.Splitter;

import java.util.List;
import java.util.SplittableRandom;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A column of random values in any order, in row groups. Each value is as likely as any other. Columns with the same
 * name always have the same values.
 *
 * @param bound number of possible values: those from 0 to one less
 * @param rows number of rows of all row groups
 * @param rowGroupRows number of rows of each row group except for the last one
 */
public record SearchedColumn(long bound, int rows, int rowGroupRows)
{
    // The loops that compare values as they are stored need values of fewer than 8 bytes
    private static final long MAX_BOUND = 1L << 56;

    public SearchedColumn
    {
        checkArgument(bound > 0 && bound <= MAX_BOUND, "not a number of values up to %s: %s", MAX_BOUND, bound);
        checkArgument(rows > 0, "rows is not positive");
        checkArgument(rowGroupRows > 0, "rowGroupRows is not positive");
    }

    /**
     * Returns the name, from which another process can create the column again.
     */
    String name()
    {
        return "%s-%s-%s".formatted(bound, rows, rowGroupRows);
    }

    static SearchedColumn parse(String name)
    {
        List<String> parts = Splitter.on('-').splitToList(name);
        checkArgument(parts.size() == 3, "not a column: %s", name);
        return new SearchedColumn(Long.parseLong(parts.get(0)), Integer.parseInt(parts.get(1)), Integer.parseInt(parts.get(2)));
    }

    public int rowGroups()
    {
        return Math.ceilDiv(rows, rowGroupRows);
    }

    /**
     * Returns the values of a row group.
     *
     * @param rowGroup number of the row group, starting at 0
     */
    long[] values(int rowGroup)
    {
        SplittableRandom random = new SplittableRandom(rowGroup);
        long[] values = new long[Math.min(rowGroupRows, rows - rowGroup * rowGroupRows)];
        for (int row = 0; row < values.length; row++) {
            values[row] = random.nextLong(bound);
        }
        return values;
    }

    /**
     * Returns a range in the middle of the values that about a part of the rows pass.
     *
     * @param percent percent of the rows, from 0 to 100; the range has at least one value
     */
    public ValueRange range(double percent)
    {
        checkArgument(percent > 0 && percent <= 100, "not a percentage: %s", percent);
        long count = Math.clamp(Math.round(bound * (percent / 100)), 1, bound);
        long low = (bound - count) / 2;
        return new ValueRange(low, low + count - 1);
    }
}
