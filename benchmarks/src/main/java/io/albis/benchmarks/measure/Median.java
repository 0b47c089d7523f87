package io.albis.benchmarks.measure;

import com.google.common.primitives.Doubles;

import java.util.Arrays;
import java.util.Collection;

import static com.google.common.base.Preconditions.checkArgument;

public final class Median
{
    private Median() {}

    /**
     * Returns the middle value, or the mean of the two middle values.
     */
    public static double median(Collection<? extends Number> values)
    {
        checkArgument(!values.isEmpty(), "values is empty");
        double[] sorted = Doubles.toArray(values);
        Arrays.sort(sorted);
        return ofSorted(sorted);
    }

    static double ofSorted(double[] sorted)
    {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
