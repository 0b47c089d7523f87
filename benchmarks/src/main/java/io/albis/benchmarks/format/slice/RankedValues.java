package io.albis.benchmarks.format.slice;

import io.albis.format.vector.NarrowValues;

import java.util.Arrays;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The distinct values of a row group in ascending order. The rank of a value is its number in this order. Ranks need as
 * few slices as possible, whatever the values are.
 */
final class RankedValues
{
    private final long[] values;

    /**
     * Ranks values.
     *
     * @param values the values of all rows, in any order; at least one
     */
    RankedValues(long[] values)
    {
        checkArgument(values.length > 0, "there are no values");
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        int count = 1;
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] != sorted[i - 1]) {
                sorted[count] = sorted[i];
                count++;
            }
        }
        this.values = Arrays.copyOf(sorted, count);
    }

    /**
     * Returns the number of distinct values.
     */
    int count()
    {
        return values.length;
    }

    /**
     * Returns the number of slices that all ranks need.
     */
    int slices()
    {
        return Integer.SIZE - Integer.numberOfLeadingZeros(values.length - 1);
    }

    /**
     * Returns the rank of the least value that is not below a number, or {@link #count} if there is none.
     */
    int firstRank(long low)
    {
        int index = Arrays.binarySearch(values, low);
        return index < 0 ? -index - 1 : index;
    }

    /**
     * Returns the rank of the greatest value that is not above a number, or -1 if there is none.
     */
    int lastRank(long high)
    {
        int index = Arrays.binarySearch(values, high);
        return index < 0 ? -index - 2 : index;
    }

    /**
     * Returns the number of bytes of the distinct values, each stored in as few bytes as all of them need.
     */
    long bytes()
    {
        return (long) values.length * NarrowValues.width(values[0], values[values.length - 1]);
    }
}
