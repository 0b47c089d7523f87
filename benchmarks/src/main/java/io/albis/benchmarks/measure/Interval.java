package io.albis.benchmarks.measure;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Locale.ENGLISH;

/**
 * The confidence interval of a figure.
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
