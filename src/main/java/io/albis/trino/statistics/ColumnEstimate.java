package io.albis.trino.statistics;

import io.albis.format.metadata.StatisticsDomains;
import io.albis.table.sketch.ColumnSketch;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.statistics.ColumnStatistics;
import io.trino.spi.statistics.DoubleRange;
import io.trino.spi.statistics.Estimate;
import io.trino.spi.type.FixedWidthType;
import io.trino.spi.type.Type;

import java.util.Optional;

import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Combines the statistics of row groups into the statistics of one column.
 */
class ColumnEstimate
{
    // size of a value that the optimizer assumes without statistics, in bytes (PlanNodeStatsEstimate)
    private static final int ASSUMED_SIZE = 50;

    private final Type type;

    private double rowsSeen;
    private double nulls;
    private boolean nullsKnown = true;
    private boolean rangeKnown = true;
    private Optional<DoubleRange> range = Optional.empty();

    public ColumnEstimate(Type type)
    {
        this.type = requireNonNull(type, "type is null");
    }

    /**
     * Adds rows that have statistics of the column.
     *
     * @param describedRows number of rows that the statistics describe
     * @param rows estimated number of rows that match the predicate
     * @param nullsFraction fraction of the matching rows in which the column is null
     */
    public void add(io.albis.format.statistics.ColumnStatistics statistics, long describedRows, double rows, double nullsFraction)
    {
        rowsSeen += rows;
        nulls += rows * nullsFraction;
        addRange(StatisticsDomains.toDomain(statistics, type, describedRows));
    }

    /**
     * Widens the range by the bounds of a manifest of which not all row groups were added.
     *
     * @param describedRows number of rows that the statistics describe
     */
    public void widen(io.albis.format.statistics.ColumnStatistics statistics, long describedRows)
    {
        if (range.isPresent() && statistics.hasBothBounds()) {
            addRange(StatisticsDomains.toDomain(statistics, type, describedRows));
        }
    }

    /**
     * Adds rows that have the column but no statistics of it.
     *
     * @param rows estimated number of rows that match the predicate
     */
    public void addUnknown(double rows)
    {
        rowsSeen += rows;
        nullsKnown = false;
        rangeKnown = false;
    }

    private void addRange(Domain domain)
    {
        if (domain.isOnlyNull()) {
            return;
        }
        Optional<DoubleRange> bounds = toRange(type, domain);
        if (bounds.isEmpty()) {
            rangeKnown = false;
            return;
        }
        range = range
                .map(known -> DoubleRange.union(known, bounds.get()))
                .or(() -> bounds);
    }

    private static Optional<DoubleRange> toRange(Type type, Domain domain)
    {
        if (!type.isOrderable() || domain.getValues().isAll()) {
            return Optional.empty();
        }
        Range span = domain.getValues().getRanges().getSpan();
        if (span.isLowUnbounded() || span.isHighUnbounded()) {
            return Optional.empty();
        }
        return DoubleRange.from(type, span.getLowBoundedValue(), span.getHighBoundedValue());
    }

    /**
     * Returns the statistics of the column.
     *
     * @param matching estimated number of matching rows in all row groups; the column is null in row groups that were
     *         not added
     * @param rows the row count of the table statistics: {@code matching}, but at least 1 if any row group remains
     * @param sketch of the values in these row groups and perhaps in others
     * @param filter on the column, if there is one
     */
    public ColumnStatistics finish(double matching, double rows, Optional<ColumnSketch> sketch, Optional<FilterEstimate> filter)
    {
        ColumnStatistics.Builder statistics = ColumnStatistics.builder();
        if (rows == 0) {
            return statistics.build();
        }
        double nullsFraction = matching == 0 ? 0 : min((nulls + max(matching - rowsSeen, 0)) / matching, 1);
        if (nullsKnown) {
            statistics.setNullsFraction(Estimate.of(nullsFraction));
        }
        if (filter.isPresent()) {
            range = range.flatMap(filter.get()::intersect);
        }
        if (rangeKnown) {
            statistics.setRange(range);
        }
        double values = rows * (1 - nullsFraction);
        statistics.setDistinctValuesCount(distinctValues(values, sketch, filter));
        statistics.setDataSize(dataSize(values, sketch));
        return statistics.build();
    }

    /**
     * Estimates the number of distinct values.
     *
     * @param values estimated number of values that are not null, which limits the number of distinct values
     */
    private Estimate distinctValues(double values, Optional<ColumnSketch> sketch, Optional<FilterEstimate> filter)
    {
        if (nullsKnown && values == 0) {
            return Estimate.zero();
        }
        if (sketch.isEmpty()) {
            return Estimate.unknown();
        }
        double limit = values;
        if (rangeKnown && range.isPresent() && ValueScale.isWholeNumber(type)) {
            limit = min(limit, range.get().getMax() - range.get().getMin() + 1);
        }
        double distinct = sketch.get().distinctValues();
        if (filter.isPresent()) {
            distinct = filter.get().distinctValues(distinct);
        }
        return Estimate.of(min(limit, distinct));
    }

    private Estimate dataSize(double values, Optional<ColumnSketch> sketch)
    {
        // the engine knows the size of fixed-width types
        if (type instanceof FixedWidthType) {
            return Estimate.unknown();
        }
        if (nullsKnown && values == 0) {
            return Estimate.zero();
        }
        if (sketch.isEmpty()) {
            return Estimate.unknown();
        }
        double averageSize = (double) sketch.get().bytes() / sketch.get().values();
        // The optimizer compares costs in bytes. If it knows that texts are short, it prefers plans that carry more
        // rows from join to join. It cannot estimate the row count of an expanding join: in q72 of TPC-DS it assumes
        // that inventory covers all weeks of date_dim, and expects 416,192 rows from a join that returns 16 million
        // (docs/benchmarks.md). So sizes below its assumption are not reported
        return averageSize < ASSUMED_SIZE ? Estimate.unknown() : Estimate.of(averageSize * values);
    }
}
