package io.albis.trino.statistics;

import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.sketch.ColumnSketch;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.statistics.DoubleRange;
import io.trino.spi.type.Type;

import java.util.Arrays;
import java.util.Optional;

import static io.trino.spi.statistics.StatsUtil.toStatsRepresentation;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Estimates how many rows of a row group match the domain of one column. It assumes that values are evenly spread
 * between the bounds of the row group. All rows match if the domain includes the bounds, and none if it excludes them.
 * The better the table is sorted by the column, the fewer row groups need an estimate.
 */
final class FilterEstimate
{
    private final AlbisColumn column;
    private final int columnId;
    private final Type type;
    private final Domain domain;
    private final Optional<ColumnSelectivity> spread;

    /**
     * Creates the estimate for the domain of a column.
     *
     * @param span range of the values that the sketch counts; empty if it is unknown
     * @param sketch of the values in the row groups that are estimated, and perhaps in others; empty if there is none
     */
    FilterEstimate(AlbisColumnHandle column, Domain domain, Optional<Range> span, Optional<ColumnSketch> sketch)
    {
        this.column = column.toColumn();
        this.columnId = column.id();
        this.type = column.type();
        this.domain = requireNonNull(domain, "domain is null");
        this.spread = domain.getValues().isAll() || domain.getValues().isNone()
                ? Optional.empty()
                : span.map(range -> new ColumnSelectivity(type, domain.getValues(), range, sketch));
    }

    int columnId()
    {
        return columnId;
    }

    /**
     * Returns whether the domain is that of a part of the column.
     */
    boolean isOfPart()
    {
        return column.isPart();
    }

    /**
     * The matching rows of a row group or manifest, as fractions of all its rows.
     *
     * @param nulls rows that match and are null
     * @param values rows that match and are not null; NaN if unknown
     */
    record Share(double nulls, double values)
    {
        double rows()
        {
            return nulls + values;
        }

        double nullsFraction()
        {
            return rows() == 0 ? 0 : nulls / rows();
        }
    }

    /**
     * Estimates the matching rows of a row group or manifest.
     *
     * @param part rows whose bounds do not exclude the domain
     */
    Share share(RowsStatistics part)
    {
        double nullAllowed = domain.isNullAllowed() ? 1 : 0;
        Optional<ColumnStatistics> statistics = part.find(column)
                .map(found -> found.forType(type));
        if (statistics.isEmpty()) {
            return part.storedColumns().contains(columnId) ? new Share(0, Double.NaN) : missingShare();
        }
        double nulls = min((double) statistics.get().nullCount() / part.rows(), 1);
        if (nulls == 1) {
            return new Share(nullAllowed, 0);
        }
        return new Share(nulls * nullAllowed, (1 - nulls) * valueShare(statistics.get()));
    }

    private Share missingShare()
    {
        double share = column.isMissingIn(domain) ? 1 : 0;
        return column.initial().isPresent() ? new Share(0, share) : new Share(share, 0);
    }

    private double valueShare(ColumnStatistics statistics)
    {
        ValueSet values = domain.getValues();
        if (values.isAll()) {
            return 1;
        }
        if (values.isNone()) {
            return 0;
        }
        if (spread.isEmpty() || !statistics.hasBothBounds()) {
            return Double.NaN;
        }
        byte[] min = statistics.min().orElseThrow();
        byte[] max = statistics.max().orElseThrow();
        Object least = StatisticsDomains.toNativeValue(statistics, type, min);
        if (Arrays.equals(min, max)) {
            return values.containsValue(least) ? 1 : 0;
        }
        return spread.get().share(least, StatisticsDomains.toNativeValue(statistics, type, max));
    }

    /**
     * Estimates how many of the distinct values that the sketch counts match.
     *
     * @param distinct number of distinct values that the sketch counts
     * @return at most {@code distinct}
     */
    double distinctValues(double distinct)
    {
        if (domain.getValues().isNone()) {
            return 0;
        }
        return spread.map(ColumnSelectivity::distinctValues)
                .filter(Double::isFinite)
                .map(values -> min(values, distinct))
                .orElse(distinct);
    }

    /**
     * Narrows the range of a column to the values that match.
     *
     * @return empty if no value of the range matches
     */
    Optional<DoubleRange> intersect(DoubleRange range)
    {
        if (domain.getValues().isAll()) {
            return Optional.of(range);
        }
        if (domain.getValues().isNone()) {
            return Optional.empty();
        }
        Range span = domain.getValues().getRanges().getSpan();
        double step = ValueScale.isWholeNumber(type) ? 1 : 0;
        double low = range.getMin();
        double high = range.getMax();
        if (!span.isLowUnbounded()) {
            low = max(low, toStatsRepresentation(type, span.getLowBoundedValue()).orElse(low) + (span.isLowInclusive() ? 0 : step));
        }
        if (!span.isHighUnbounded()) {
            high = min(high, toStatsRepresentation(type, span.getHighBoundedValue()).orElse(high) - (span.isHighInclusive() ? 0 : step));
        }
        return low <= high ? Optional.of(new DoubleRange(low, high)) : Optional.empty();
    }
}
