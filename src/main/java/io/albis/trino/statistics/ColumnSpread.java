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
 * How the values of a column are spread over a table, and which part of them is asked for: as many different values as
 * the sketch says, evenly between the bounds of the table.
 */
final class ColumnSpread
{
    // of the values of a row group, where a range starts or ends within values too close to each other to be told apart
    private static final double UNKNOWN_RANGE = 0.5;

    private static final double MANY_VALUES = 1e6;

    private final ValueScale scale;
    private final DomainShare share;
    private final boolean wholeNumber;
    private final boolean discrete;
    private final int ranges;
    private final double low;
    private final double high;
    // NaN if that is not known
    private final double distinct;

    /**
     * @param values that are asked for; of a type with an order
     * @param span of all values of the table
     */
    ColumnSpread(Type type, ValueSet values, Range span, Optional<ColumnSketch> sketch)
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
     * @param least value of a row group
     * @param greatest value of a row group, another one
     * @return part of the values of the row group that is asked for; NaN if that is not known
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
            // also if a bound is infinite
            return Double.NaN;
        }
        return share.distinctValues(start, end, values) / values;
    }

    /**
     * Different values of the table that are asked for; NaN if that is not known.
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
     * At least the two bounds.
     */
    private double distinctValues(double start, double end)
    {
        if (Double.isNaN(distinct)) {
            // nobody knows how many rows have one value; for a range it makes little difference how close the values
            // are to each other
            if (discrete) {
                return Double.NaN;
            }
            return wholeNumber ? end - start + 1 : MANY_VALUES;
        }
        double values = 1 + (distinct - 1) * (end - start) / (high - low);
        return max(wholeNumber ? min(values, end - start + 1) : values, 2);
    }
}
