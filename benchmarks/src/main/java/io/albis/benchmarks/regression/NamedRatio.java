package io.albis.benchmarks.regression;

import io.albis.benchmarks.measure.Ratio;

import static java.util.Objects.requireNonNull;

/**
 * The figure of the best peer divided by that of Albis.
 *
 * @param name what was measured
 */
public record NamedRatio(String name, Ratio ratio)
{
    public NamedRatio
    {
        requireNonNull(name, "name is null");
        requireNonNull(ratio, "ratio is null");
    }
}
