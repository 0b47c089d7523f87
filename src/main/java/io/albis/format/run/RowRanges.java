package io.albis.format.run;

import java.util.Arrays;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.sizeOf;
import static java.util.Objects.requireNonNull;

/**
 * Selected rows of a run, as ranges of consecutive rows. If a selection keeps most rows, it is faster to decode all
 * rows from the first one to the last one at once and to close the gaps afterwards than to decode one value after the
 * other.
 */
public final class RowRanges
{
    // With ranges of 5 rows, closing the gaps is still faster than decoding one value after the other.
    static final int MIN_AVERAGE_ROWS = 4;
    // Rows that are decoded although they are not selected take time and memory.
    private static final int MAX_UNSELECTED = 3;
    // a power of two
    private static final int ROWS_PER_CHECK = 64;

    private final int[] begins;
    private final int[] ends;
    private final int size;
    private final int rows;

    private RowRanges(int[] begins, int[] ends, int size, int rows)
    {
        this.begins = requireNonNull(begins, "begins is null");
        this.ends = requireNonNull(ends, "ends is null");
        this.size = size;
        this.rows = rows;
    }

    /**
     * Returns whether it can be faster to decode all rows of a run at once, depending on how long the ranges are.
     *
     * @param selected number of selected rows
     * @param count number of rows of the run
     */
    public static boolean mayBeWorthwhile(int selected, int count)
    {
        return selected >= MIN_AVERAGE_ROWS && count - selected <= selected / MAX_UNSELECTED;
    }

    /**
     * Returns the ranges of a list of rows if decoding them at once is faster.
     *
     * @param rows rows within the run or the segment, of which those from {@code begin} to {@code end} (exclusive) are
     *         in one run
     */
    public static Optional<RowRanges> find(int[] rows, int begin, int end)
    {
        checkArgument(begin < end, "no rows");
        int count = end - begin;
        int limit = count / MIN_AVERAGE_ROWS;
        // indexes of the last row of each range; the rows between two checks may exceed the limit
        int[] lasts = new int[limit + ROWS_PER_CHECK + 1];
        int found = 0;
        for (int i = begin; i < end - 1; ) {
            int checked = Math.min(i + ROWS_PER_CHECK, end - 1);
            for (; i < checked; i++) {
                lasts[found] = i;
                found += rows[i + 1] == rows[i] + 1 ? 0 : 1;
            }
            if (found >= limit) {
                return Optional.empty();
            }
        }
        lasts[found] = end - 1;
        int size = found + 1;
        int[] begins = new int[size];
        int next = begin;
        for (int range = 0; range < size; range++) {
            begins[range] = SegmentRows.inRun(rows[next]);
            next = lasts[range] + 1;
            lasts[range] = SegmentRows.inRun(rows[lasts[range]]) + 1;
        }
        return of(begins, lasts, size, count);
    }

    /**
     * Returns the ranges between rows that are not selected if decoding them at once is faster.
     *
     * @param gaps rows of the run that are not selected, ascending
     * @param count number of rows of the run
     */
    public static Optional<RowRanges> between(int[] gaps, int count)
    {
        int[] begins = new int[gaps.length + 1];
        int[] ends = new int[gaps.length + 1];
        int size = 0;
        int row = 0;
        for (int gap : gaps) {
            begins[size] = row;
            ends[size] = gap;
            size += gap > row ? 1 : 0;
            row = gap + 1;
        }
        begins[size] = row;
        ends[size] = count;
        size += count > row ? 1 : 0;
        return of(begins, ends, size, count - gaps.length);
    }

    /**
     * Returns ranges if they are ascending and decoding them at once is faster than decoding one value after the other.
     *
     * @param begins the first row of each range
     * @param ends the row after the last row of each range
     * @param rows number of rows of all ranges
     */
    private static Optional<RowRanges> of(int[] begins, int[] ends, int size, int rows)
    {
        if (size == 0 || size > rows / MIN_AVERAGE_ROWS) {
            return Optional.empty();
        }
        for (int range = 1; range < size; range++) {
            if (begins[range] <= ends[range - 1]) {
                return Optional.empty();
            }
        }
        int span = ends[size - 1] - begins[0];
        if (span - rows > rows / MAX_UNSELECTED) {
            return Optional.empty();
        }
        return Optional.of(new RowRanges(begins, ends, size, rows));
    }

    /**
     * Returns the number of ranges.
     */
    public int size()
    {
        return size;
    }

    /**
     * Returns the first row of a range.
     */
    public int begin(int range)
    {
        return begins[range];
    }

    /**
     * Returns the row after the last row of a range.
     */
    public int end(int range)
    {
        return ends[range];
    }

    /**
     * Returns the number of rows of all ranges.
     */
    public int rows()
    {
        return rows;
    }

    /**
     * Returns the first row.
     */
    public int first()
    {
        return begins[0];
    }

    /**
     * Returns the number of rows from the first row to the last one, including those that are not selected.
     */
    public int span()
    {
        return ends[size - 1] - begins[0];
    }

    /**
     * Moves the values of the selected rows together.
     *
     * @param values contains the value of the first row at {@code offset}, followed by those of all rows of the span
     */
    public void compact(byte[] values, int offset)
    {
        int output = offset;
        for (int range = 0; range < size; range++) {
            int length = ends[range] - begins[range];
            System.arraycopy(values, offset + begins[range] - begins[0], values, output, length);
            output += length;
        }
    }

    /**
     * Moves the values of the selected rows together.
     *
     * @param values contains the value of the first row at {@code offset}, followed by those of all rows of the span
     */
    public void compact(short[] values, int offset)
    {
        int output = offset;
        for (int range = 0; range < size; range++) {
            int length = ends[range] - begins[range];
            System.arraycopy(values, offset + begins[range] - begins[0], values, output, length);
            output += length;
        }
    }

    /**
     * Moves the values of the selected rows together.
     *
     * @param values contains the value of the first row at {@code elements * offset}, followed by those of all rows of
     *         the span
     * @param elements number of elements of a value
     */
    public void compact(int[] values, int offset, int elements)
    {
        int output = elements * offset;
        for (int range = 0; range < size; range++) {
            int length = elements * (ends[range] - begins[range]);
            System.arraycopy(values, elements * (offset + begins[range] - begins[0]), values, output, length);
            output += length;
        }
    }

    /**
     * Moves the values of the selected rows together.
     *
     * @param values contains the value of the first row at {@code elements * offset}, followed by those of all rows of
     *         the span
     * @param elements number of elements of a value
     */
    public void compact(long[] values, int offset, int elements)
    {
        int output = elements * offset;
        for (int range = 0; range < size; range++) {
            int length = elements * (ends[range] - begins[range]);
            System.arraycopy(values, elements * (offset + begins[range] - begins[0]), values, output, length);
            output += length;
        }
    }

    /**
     * Returns the rows as a list.
     *
     * @param runBegin number that is added to each row
     */
    int[] list(int runBegin)
    {
        int[] list = new int[rows];
        int output = 0;
        for (int range = 0; range < size; range++) {
            for (int row = begins[range]; row < ends[range]; row++) {
                list[output] = runBegin + row;
                output++;
            }
        }
        return list;
    }

    long retainedSize()
    {
        return sizeOf(begins) + sizeOf(ends);
    }

    @Override
    public String toString()
    {
        return "%s to %s".formatted(Arrays.toString(Arrays.copyOf(begins, size)), Arrays.toString(Arrays.copyOf(ends, size)));
    }
}
