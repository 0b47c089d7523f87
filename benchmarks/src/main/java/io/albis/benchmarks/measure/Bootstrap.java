package io.albis.benchmarks.measure;

import com.google.common.primitives.Doubles;

import java.util.Arrays;
import java.util.Collection;
import java.util.SplittableRandom;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Computes the confidence interval of a median by bootstrapping: from the medians of many samples that are drawn, with
 * replacement, from the measured one.
 */
public final class Bootstrap
{
    private static final int RESAMPLES = 10_000;
    private static final double CONFIDENCE = 0.95;

    private Bootstrap() {}

    /**
     * Returns the interval that contains the median with a confidence of 95 %. The result is always the same for the
     * same values.
     */
    public static Interval medianInterval(Collection<? extends Number> values)
    {
        checkArgument(!values.isEmpty(), "values is empty");
        double[] sample = Doubles.toArray(values);
        SplittableRandom random = new SplittableRandom(0);
        double[] resample = new double[sample.length];
        double[] medians = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            for (int j = 0; j < resample.length; j++) {
                resample[j] = sample[random.nextInt(sample.length)];
            }
            Arrays.sort(resample);
            medians[i] = Median.ofSorted(resample);
        }
        Arrays.sort(medians);
        int outside = (int) Math.round(RESAMPLES * (1 - CONFIDENCE) / 2);
        return new Interval(medians[outside], medians[RESAMPLES - 1 - outside]);
    }
}
