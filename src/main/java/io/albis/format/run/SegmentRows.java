package io.albis.format.run;

import com.google.common.collect.ImmutableList;
import jakarta.annotation.Nullable;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.airlift.slice.SizeOf.sizeOf;
import static java.util.Objects.checkFromIndexSize;
import static java.util.Objects.requireNonNull;

/**
 * Rows of a segment, in the order in which they are requested: all rows of one run, or a list.
 */
public final class SegmentRows
{
    private static final int RUN_SHIFT = Integer.numberOfTrailingZeros(Run.MAX_ROWS);
    private static final int RUN_MASK = Run.MAX_ROWS - 1;

    // null for all rows of a run, and for ranges until it is needed
    @Nullable
    private int[] rows;
    // the first row of all rows of a run, otherwise negative
    private final int first;
    private final int count;
    // null for all rows of a run, and for a list until it is needed; all columns of a page share it
    @Nullable
    private List<RunRows> runs;

    private SegmentRows(@Nullable int[] rows, @Nullable List<RunRows> runs, int first, int count)
    {
        this.rows = rows;
        this.runs = runs;
        this.first = first;
        this.count = count;
    }

    /**
     * Returns all rows of a run.
     */
    public static SegmentRows ofRun(int run, int count)
    {
        return new SegmentRows(null, null, run << RUN_SHIFT, count);
    }

    /**
     * Returns a list of the rows of ranges of a run.
     */
    public static SegmentRows ofRanges(int run, RowRanges ranges)
    {
        return new SegmentRows(null, ImmutableList.of(new RunRows(run, 0, ranges.rows(), Optional.of(ranges))), -1, ranges.rows());
    }

    /**
     * Returns a list of rows.
     *
     * @param rows indexes of the rows in the segment; not copied
     */
    public static SegmentRows ofRows(int[] rows)
    {
        requireNonNull(rows, "rows is null");
        return new SegmentRows(rows, null, -1, rows.length);
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
     * Returns the number of rows.
     */
    public int count()
    {
        return count;
    }

    /**
     * Returns whether these are all rows of one run, and not a list.
     */
    public boolean isRun()
    {
        return first >= 0;
    }

    /**
     * Returns the indexes of the rows in the segment, unless these are all rows of a run. The array must not be
     * changed.
     */
    public int[] list()
    {
        checkState(!isRun(), "all rows of a run are not a list");
        if (rows == null) {
            RunRows run = getOnlyElement(runs);
            rows = run.ranges().orElseThrow().list(run.run() << RUN_SHIFT);
        }
        return rows;
    }

    /**
     * Returns the index in the segment of the row at a position of this list.
     */
    public int get(int position)
    {
        return isRun() ? first + position : list()[position];
    }

    /**
     * Returns the run of the first row.
     */
    public int firstRun()
    {
        return isRun() || runs == null ? run(get(0)) : runs.getFirst().run();
    }

    /**
     * Returns the run of the last row.
     */
    public int lastRun()
    {
        return isRun() || runs == null ? run(get(count - 1)) : runs.getLast().run();
    }

    /**
     * Returns the run of all rows, or a negative number if they belong to several runs.
     */
    public int onlyRun()
    {
        return isRun() || byRun().size() == 1 ? firstRun() : -1;
    }

    /**
     * Divides the list of rows by their runs.
     */
    public List<RunRows> byRun()
    {
        if (runs == null) {
            int[] list = list();
            ImmutableList.Builder<RunRows> builder = ImmutableList.builder();
            for (int begin = 0; begin < count; ) {
                int end = runEnd(list, begin);
                Optional<RowRanges> ranges = RowRanges.find(list, begin, end);
                builder.add(new RunRows(run(list[begin]), begin, end, ranges));
                begin = end;
            }
            runs = builder.build();
        }
        return runs;
    }

    private static int runEnd(int[] rows, int begin)
    {
        int run = run(rows[begin]);
        int end = begin + 1;
        while (end < rows.length && run(rows[end]) == run) {
            end++;
        }
        return end;
    }

    /**
     * Returns the number of values for which an array needs space if the values of all {@link RowRanges} are decoded at
     * once, each time after those of the rows before them. It exceeds the number of rows by a third at most.
     */
    public int capacity()
    {
        int capacity = count;
        if (!isRun()) {
            for (RunRows run : byRun()) {
                capacity = Math.max(capacity, run.begin() + run.span());
            }
        }
        return capacity;
    }

    /**
     * Returns the memory of the list in bytes.
     */
    public long retainedSize()
    {
        long size = sizeOf(rows);
        if (runs != null) {
            for (RunRows run : runs) {
                size += run.ranges().map(RowRanges::retainedSize).orElse(0L);
            }
        }
        return size;
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
        return ofRows(selected);
    }
}
