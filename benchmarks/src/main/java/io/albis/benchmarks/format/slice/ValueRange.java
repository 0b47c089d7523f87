package io.albis.benchmarks.format.slice;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The values from {@code low} to {@code high}, both inclusive.
 */
public record ValueRange(long low, long high)
{
    public ValueRange
    {
        checkArgument(low <= high, "the range from %s to %s is empty", low, high);
    }
}
