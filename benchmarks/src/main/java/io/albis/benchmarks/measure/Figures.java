package io.albis.benchmarks.measure;

import com.google.common.collect.ImmutableMap;

import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * What was measured of one execution of a query. What does not apply to it is not there.
 */
public record Figures(Map<Figure, Long> values)
{
    public Figures
    {
        values = ImmutableMap.copyOf(values);
    }

    public boolean has(Figure figure)
    {
        return values.containsKey(figure);
    }

    public long get(Figure figure)
    {
        checkArgument(has(figure), "%s was not measured", figure);
        return values.get(figure);
    }

    public Figures with(Figure figure, long value)
    {
        return new Figures(ImmutableMap.<Figure, Long>builder()
                .putAll(values)
                .put(figure, value)
                .buildKeepingLast());
    }
}
