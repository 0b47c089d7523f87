package io.albis.benchmarks.measure;

import static java.util.Objects.requireNonNull;

/**
 * Whether one is slower than another, as far as that can be said for sure.
 *
 * @param ratio how many times what the other took it took, the median of the rounds
 * @param interval where the ratio is with a confidence of 95 %
 */
public record Verdict(double ratio, Interval interval)
{
    // less is no difference that anybody would feel
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
