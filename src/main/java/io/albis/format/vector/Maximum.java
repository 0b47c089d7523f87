package io.albis.format.vector;

import static java.util.Objects.checkFromIndexSize;

/**
 * Finds the greatest id, which tells whether all ids are valid. The compiler does not use vectors for this loop by
 * itself.
 */
public final class Maximum
{
    private Maximum() {}

    /**
     * Returns the greatest of the first values, or 0 if all are less than 0 or if there are none.
     *
     * @param count number of values
     */
    public static int of(int[] values, int count)
    {
        return of(Vectors.areReady(), values, count);
    }

    static int of(boolean vectors, int[] values, int count)
    {
        checkFromIndexSize(0, count, values.length);
        int done = vectors ? VectorMaximum.whole(count) : 0;
        int max = done > 0 ? VectorMaximum.of(values, done) : 0;
        for (int i = done; i < count; i++) {
            max = Math.max(max, values[i]);
        }
        return max;
    }
}
