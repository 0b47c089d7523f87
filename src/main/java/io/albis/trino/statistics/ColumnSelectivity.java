package io.albis.trino.statistics;

import io.albis.table.sketch.ColumnSketch;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;

import java.util.Optional;

import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Estimates which part of the values of a column a predicate selects. It assumes that the distinct values that the
 * sketch counts are evenly spread over the range of these values. The range and the sketch must therefore be of the
 * same rows: those of the manifests that the predicate selects, and of others that share a sketch with them.
 */
final class ColumnSelectivity
{
    // selected part of a row group if its bounds have the same position, so that a range cannot be placed between them
    private static final double UNKNOWN_RANGE = 0.5;

    private static final double MANY_VALUES = 1e6;

    private final ValueScale scale;
    private final DomainShare share;
    private final boolean wholeNumber;
    private final boolean discrete;
    private final int ranges;
    private final double low;
    private final double high;
    // NaN if unknown
    private final double distinct;

    /**
     * Creates the estimate for a predicate on one column.
     *
     * @param values selected by the predicate; their type is orderable
     * @param span range of all values that the sketch counts, with both bounds
     * @param sketch of these values; empty if there is none
     */
    ColumnSelectivity(Type type, ValueSet values, Range span, Optional<ColumnSketch> sketch)
    {
        requireNonNull(values, "values is null");
        scale = new ValueScale(type, span);
        share = new DomainShare(values.getRanges().getOrderedRanges(), scale);
        wholeNumber = ValueScale.isWholeNumber(type);
        discrete = values.isDiscreteSet();
        ranges = values.getRanges().getRangeCount();
        low = scale.position(span.getLowBoundedValue());
        high = scale.position(span.getHighBoundedValue());
        distinct = sketch.map(ColumnSketch::distinctValues)
                .map(Long::doubleValue)
                .orElse(Double.NaN);
    }

    /**
     * Returns the part of the values of a row group that the predicate selects.
     *
     * @param least lower bound of the row group
     * @param greatest upper bound of the row group, which differs from the lower one
     * @return a fraction between 0 and 1; NaN if unknown
     */
    double share(Object least, Object greatest)
    {
        double start = scale.position(least);
        double end = scale.position(greatest);
        if (!(start < end)) {
            return discrete ? min(ranges / distinct, 1) : UNKNOWN_RANGE;
        }
        double values = distinctValues(start, end);
        if (Double.isNaN(values)) {
            // no sketch, or a bound is infinite
            return Double.NaN;
        }
        return share.distinctValues(start, end, values) / values;
    }

    /**
     * Returns the number of distinct values in the span that the predicate selects; NaN if unknown.
     */
    double distinctValues()
    {
        if (Double.isNaN(distinct) || Double.isInfinite(high - low)) {
            return Double.NaN;
        }
        double values = low < high ? share.distinctValues(low, high, max(distinct, 2)) : distinct;
        return discrete ? min(values, ranges) : values;
    }

    /**
     * Returns the number of distinct values between two positions. It is at least 2, because both bounds are values.
     */
    private double distinctValues(double start, double end)
    {
        if (Double.isNaN(distinct)) {
            // The number of rows with one value is unknown. For a range, the distance between values makes little
            // difference
            if (discrete) {
                return Double.NaN;
            }
            return wholeNumber ? end - start + 1 : MANY_VALUES;
        }
        double values = 1 + (distinct - 1) * (end - start) / (high - low);
        return max(wholeNumber ? min(values, end - start + 1) : values, 2);
    }
}
