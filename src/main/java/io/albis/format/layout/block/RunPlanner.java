package io.albis.format.layout.block;

import io.albis.format.run.Run;
import io.albis.format.run.RunEncoding.Fixed;
import io.albis.format.vector.NarrowValues;
import jakarta.annotation.Nullable;

import java.util.Arrays;

/**
 * Chooses the width, the base, and the outliers of a run of integers. A sample of the values shows whether outliers can
 * be worthwhile. If so, all values are counted, so that the size of the run is exact.
 */
final class RunPlanner
{
    // With more outliers, the reader would spend more time on them than it saves.
    private static final int MIN_ROWS_PER_OUTLIER = 64;
    private static final int SAMPLE = 128;

    private final int slotSize;
    private final boolean narrowWidths;
    private final boolean outliers;
    private final long[] sample = new long[SAMPLE];

    RunPlanner(int slotSize, boolean narrowWidths, boolean outliers)
    {
        this.slotSize = slotSize;
        this.narrowWidths = narrowWidths;
        this.outliers = outliers;
    }

    /**
     * Returns the parameters of a run.
     *
     * @param values values of the segment. Those at null rows are replaced, so that they affect neither the width nor
     *         the outliers
     * @param offset first row of the run
     * @param count number of rows, of which at least one is not null
     * @param nulls nulls of the segment; null if the run has none
     */
    Fixed plan(long[] values, int offset, int count, @Nullable ValidityEncoder nulls)
    {
        if (nulls != null) {
            nulls.fillNulls(offset / Run.MAX_ROWS, values, sample[sample(values, offset, count, nulls) / 2]);
        }
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (int i = offset; i < offset + count; i++) {
            min = Math.min(min, values[i]);
            max = Math.max(max, values[i]);
        }
        int width = NarrowValues.width(min, max);
        if (width == 0) {
            // a run with one value takes no bytes even if widths are not narrow
            return new Fixed(0, min, 0);
        }
        Fixed plan = narrowWidths && width < slotSize ? new Fixed(width, min, 0) : new Fixed(slotSize, 0, 0);
        return narrowWidths && outliers ? withOutliers(plan, min, values, offset, count, nulls) : plan;
    }

    /**
     * Collects some values that are not null, in ascending order.
     *
     * @return number of values; at least one
     */
    private int sample(long[] values, int offset, int count, @Nullable ValidityEncoder nulls)
    {
        int candidates = Math.min(SAMPLE, count);
        int size = 0;
        for (int i = 0; i < candidates; i++) {
            int row = offset + (int) ((long) i * count / candidates);
            if (nulls == null || !nulls.isNull(row)) {
                sample[size] = values[row];
                size++;
            }
        }
        if (size == 0) {
            sample[size] = values[nulls.firstValid(offset / Run.MAX_ROWS)];
            size++;
        }
        Arrays.sort(sample, 0, size);
        return size;
    }

    private Fixed withOutliers(Fixed plan, long min, long[] values, int offset, int count, @Nullable ValidityEncoder nulls)
    {
        int size = sample(values, offset, count, nulls);
        int extremes = Math.max(1, size / MIN_ROWS_PER_OUTLIER);
        if (2 * extremes >= size) {
            return plan;
        }
        long low = sample[extremes];
        long high = sample[size - 1 - extremes];
        Fixed best = plan;
        for (int width = NarrowValues.width(low, high); width < plan.width() && width * count < size(best, count); width++) {
            Fixed candidate = window(min, low, high, width, values, offset, count);
            if (candidate.outliers() <= count / MIN_ROWS_PER_OUTLIER && size(candidate, count) < size(best, count)) {
                best = candidate;
            }
        }
        return best;
    }

    /**
     * Places a window of all values that a width can represent around the range from {@code low} to {@code high}, and
     * counts the values outside of it.
     */
    private static Fixed window(long min, long low, long high, int width, long[] values, int offset, int count)
    {
        long span = NarrowValues.mask(width);
        // Unsigned, because the distance between two longs may not be a long. The window begins at the least value if
        // it can. It ends at the greatest long at the latest, because a filter compares its bounds as signed values.
        long before = (span - (high - low)) >>> 1;
        boolean first = Long.compareUnsigned(high - min, span) <= 0 || Long.compareUnsigned(low - min, before) <= 0;
        long begin = first ? min : Math.min(low - before, Long.MAX_VALUE - span);
        int outside = 0;
        for (int i = offset; i < offset + count; i++) {
            outside += Long.compareUnsigned(values[i] - begin, span) <= 0 ? 0 : 1;
        }
        return new Fixed(width, begin, outside);
    }

    /**
     * Returns the size in bytes of the values and outliers of a run.
     */
    int size(Fixed plan, int rows)
    {
        return plan.width() * rows + plan.outliers() * (slotSize + Short.BYTES);
    }

    /**
     * Returns whether a value is not in the window of a run.
     */
    static boolean isOutlier(Fixed plan, long value)
    {
        return Long.compareUnsigned(value - plan.base(), NarrowValues.mask(plan.width())) > 0;
    }
}
