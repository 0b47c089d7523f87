package io.albis.benchmarks.chart;

import java.util.Locale;

/**
 * The grid lines of an axis that starts at zero.
 */
final class Ticks
{
    private Ticks() {}

    /**
     * Returns the distance between grid lines: 1, 2, or 5 times a power of ten, chosen so that there are at least four
     * lines.
     */
    public static double distance(double most)
    {
        double power = Math.pow(10, Math.floor(Math.log10(most / 4)));
        double steps = most / 4 / power;
        if (steps >= 5) {
            return 5 * power;
        }
        return steps >= 2 ? 2 * power : power;
    }

    /**
     * Returns the label of a grid line, with as many decimals as the distance has.
     */
    public static String label(double value, double distance)
    {
        int decimals = (int) Math.max(0, -Math.floor(Math.log10(distance)));
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
