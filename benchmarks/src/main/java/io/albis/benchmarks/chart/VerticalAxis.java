package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Locale;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A vertical axis with grid lines. A logarithmic axis is for ratios: twice as much and half as much are at the same
 * distance from 1.
 *
 * @param low value at the lower end, which is 0 unless the axis is logarithmic
 * @param high value at the upper end
 * @param ticks values of the grid lines, from low to high
 */
record VerticalAxis(double low, double high, boolean logarithmic, List<Tick> ticks)
{
    record Tick(double value, String label) {}

    VerticalAxis
    {
        checkArgument(low < high, "not an axis: %s to %s", low, high);
        ticks = ImmutableList.copyOf(ticks);
    }

    /**
     * Returns an axis from 0 to at least the given value.
     */
    static VerticalAxis linear(double most)
    {
        double distance = Ticks.distance(most);
        ImmutableList.Builder<Tick> ticks = ImmutableList.builder();
        long count = (long) Math.ceil(most / distance);
        for (long i = 0; i <= count; i++) {
            ticks.add(new Tick(i * distance, Ticks.label(i * distance, distance)));
        }
        return new VerticalAxis(0, count * distance, false, ticks.build());
    }

    /**
     * Returns an axis between two powers of two, which covers the given values.
     *
     * @param least least value, more than 0
     */
    static VerticalAxis logarithmic(double least, double most)
    {
        checkArgument(least > 0, "not positive: %s", least);
        int first = (int) Math.floor(log2(least));
        int last = Math.max(first + 1, (int) Math.ceil(log2(most)));
        ImmutableList.Builder<Tick> ticks = ImmutableList.builder();
        for (int exponent = first; exponent <= last; exponent++) {
            double value = Math.pow(2, exponent);
            ticks.add(new Tick(value, value < 1 ? "1/" + Math.round(1 / value) : String.format(Locale.ROOT, "%,.0f", value)));
        }
        return new VerticalAxis(Math.pow(2, first), Math.pow(2, last), true, ticks.build());
    }

    private static double log2(double value)
    {
        return Math.log(value) / Math.log(2);
    }

    /**
     * Returns where a value is, from 0 at the lower end to 1 at the upper end.
     */
    double position(double value)
    {
        return logarithmic ? (log2(value) - log2(low)) / (log2(high) - log2(low)) : value / high;
    }
}
