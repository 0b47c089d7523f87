package io.albis.benchmarks.measure;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Locale.ENGLISH;

/**
 * Where a figure most likely is.
 */
public record Interval(double low, double high)
{
    public Interval
    {
        checkArgument(low <= high, "low is above high: %s, %s", low, high);
    }

    @Override
    public String toString()
    {
        return String.format(ENGLISH, "[%.2f, %.2f]", low, high);
    }
}
