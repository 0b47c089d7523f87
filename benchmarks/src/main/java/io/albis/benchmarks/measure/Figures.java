package io.albis.benchmarks.measure;

import com.google.common.collect.ImmutableMap;

import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The figures of one execution of a query. Figures that do not apply to it are absent.
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
