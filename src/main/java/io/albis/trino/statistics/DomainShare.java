package io.albis.trino.statistics;

import io.trino.spi.predicate.Range;

import java.util.List;

import static java.lang.Math.clamp;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Estimates how many of the distinct values of a column are in a domain. It assumes that they are evenly spread between
 * the bounds of the column.
 */
final class DomainShare
{
    // positions of the ranges in ascending order; an unbounded end is infinite
    private final double[] lows;
    private final double[] highs;
    // correction for the ends of a range: 1 if both are included, 0 if one is, -1 if none is
    private final double[] ends;
    private final boolean[] lowIncluded;
    private final boolean[] highIncluded;
    // sums over the ranges before an index
    private final double[] lengthsBefore;
    private final double[] endsBefore;

    /**
     * Computes the positions of ranges.
     *
     * @param ranges in ascending order, disjoint
     */
    DomainShare(List<Range> ranges, ValueScale scale)
    {
        requireNonNull(scale, "scale is null");
        int count = ranges.size();
        lows = new double[count];
        highs = new double[count];
        ends = new double[count];
        lowIncluded = new boolean[count];
        highIncluded = new boolean[count];
        lengthsBefore = new double[count + 1];
        endsBefore = new double[count + 1];
        for (int i = 0; i < count; i++) {
            Range range = ranges.get(i);
            lows[i] = range.isLowUnbounded() ? Double.NEGATIVE_INFINITY : scale.position(range.getLowBoundedValue());
            highs[i] = range.isHighUnbounded() ? Double.POSITIVE_INFINITY : scale.position(range.getHighBoundedValue());
            lowIncluded[i] = range.isLowInclusive();
            highIncluded[i] = range.isHighInclusive();
            ends[i] = atEnds(lowIncluded[i], highIncluded[i]);
            // only the first and the last are unbounded, and they are never between two others
            double length = range.isLowUnbounded() || range.isHighUnbounded() ? 0 : highs[i] - lows[i];
            lengthsBefore[i + 1] = lengthsBefore[i] + length;
            endsBefore[i + 1] = endsBefore[i] + ends[i];
        }
    }

    /**
     * Returns the correction for the ends of a range. An included end adds half a value, and an excluded end subtracts
     * half a value. A range from bound to bound then has all values.
     */
    private static double atEnds(boolean lowIncluded, boolean highIncluded)
    {
        return (lowIncluded ? 0.5 : -0.5) + (highIncluded ? 0.5 : -0.5);
    }

    /**
     * Returns the number of distinct values that are in the domain.
     *
     * @param low position of the least value
     * @param high position of the greatest value, greater than that of the least
     * @param distinct number of distinct values including both bounds, at least 2
     * @return between zero and {@code distinct}
     */
    double distinctValues(double low, double high, double distinct)
    {
        double gap = (high - low) / (distinct - 1);
        int first = firstNotBefore(low);
        int last = lastNotAfter(high);
        if (first > last) {
            return 0;
        }
        double values = part(first, low, high, gap);
        if (last > first) {
            values += part(last, low, high, gap);
            if (last > first + 1) {
                values += (lengthsBefore[last] - lengthsBefore[first + 1]) / gap + endsBefore[last] - endsBefore[first + 1];
            }
        }
        return clamp(values, 0, distinct);
    }

    private double part(int index, double low, double high, double gap)
    {
        double start = max(lows[index], low);
        double end = min(highs[index], high);
        // a range between two neighboring values has no value, and never a negative number of values
        return max((end - start) / gap + atEnds(lowIncluded[index] || lows[index] < low, highIncluded[index] || highs[index] > high), 0);
    }

    private int firstNotBefore(double position)
    {
        int low = 0;
        int high = highs.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (highs[middle] < position) {
                low = middle + 1;
            }
            else {
                high = middle;
            }
        }
        return low;
    }

    private int lastNotAfter(double position)
    {
        int low = 0;
        int high = lows.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (lows[middle] <= position) {
                low = middle + 1;
            }
            else {
                high = middle;
            }
        }
        return low - 1;
    }
}
