package io.albis.benchmarks.measure;

import static java.util.Objects.requireNonNull;

/**
 * States whether one contender is slower than another with sufficient confidence.
 *
 * @param ratio median over all rounds of the ratio between the two contenders
 * @param interval interval that contains the ratio with a confidence of 95 %
 */
public record Verdict(double ratio, Interval interval)
{
    // Smaller differences are not noticeable
    private static final double THRESHOLD = 0.05;

    public Verdict
    {
        requireNonNull(interval, "interval is null");
    }

    public boolean isSurelySlower()
    {
        return interval.low() > 1 + THRESHOLD;
    }

    public boolean isSurelyFaster()
    {
        return interval.high() < 1 / (1 + THRESHOLD);
    }
}
