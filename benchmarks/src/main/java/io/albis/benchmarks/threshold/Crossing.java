package io.albis.benchmarks.threshold;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.OptionalDouble;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Comparator.comparingDouble;
import static java.util.Locale.ENGLISH;

/**
 * The share of rows from which on one way to read them takes more than another one.
 *
 * @param points ratios of both ways by share, at least one, with ascending shares
 */
public record Crossing(List<Point> points)
{
    public Crossing
    {
        checkArgument(!points.isEmpty(), "points is empty");
        points = ImmutableList.sortedCopyOf(comparingDouble(Point::share), points);
    }

    /**
     * A measurement.
     *
     * @param share part of the rows, above 0 and up to 1
     * @param ratio figure of the first way divided by that of the second one, above 0
     */
    public record Point(double share, double ratio)
    {
        public Point
        {
            checkArgument(share > 0 && share <= 1, "not a share: %s", share);
            checkArgument(ratio > 0, "not a ratio: %s", ratio);
        }
    }

    /**
     * Returns the share from which on the ratio is above 1 at all points. It is interpolated between two points, on
     * logarithmic scales.
     *
     * @return the share, or empty if the ratio is not above 1 at the last point, or if it is above 1 at all points
     */
    public OptionalDouble share()
    {
        int last = lastNotAbove();
        if (last < 0 || last == points.size() - 1) {
            return OptionalDouble.empty();
        }
        Point below = points.get(last);
        Point above = points.get(last + 1);
        double position = -Math.log(below.ratio()) / (Math.log(above.ratio()) - Math.log(below.ratio()));
        return OptionalDouble.of(below.share() * Math.pow(above.share() / below.share(), position));
    }

    private int lastNotAbove()
    {
        for (int index = points.size() - 1; index >= 0; index--) {
            if (points.get(index).ratio() <= 1) {
                return index;
            }
        }
        return -1;
    }

    /**
     * Returns a text such as 2.3 %, or that the crossing is outside of the measured shares.
     */
    @Override
    public String toString()
    {
        OptionalDouble share = share();
        if (share.isPresent()) {
            return percent(share.getAsDouble());
        }
        return lastNotAbove() < 0 ? "below " + percent(points.getFirst().share()) : "above " + percent(points.getLast().share());
    }

    private static String percent(double share)
    {
        return String.format(ENGLISH, "%.2f %%", 100 * share);
    }
}
