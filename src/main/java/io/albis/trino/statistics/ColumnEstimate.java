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
 * Puts together what the row groups know of one column.
 */
class ColumnEstimate
{
    // bytes that the optimizer takes a value for if it is not told (PlanNodeStatsEstimate)
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
     * A row group that has the column.
     *
     * @param rowGroupRows rows that the statistics are about
     * @param rows how many of them match the predicate
     * @param nullsFraction of the rows that match
     */
    public void add(io.albis.format.statistics.ColumnStatistics statistics, long rowGroupRows, double rows, double nullsFraction)
    {
        rowsSeen += rows;
        nulls += rows * nullsFraction;
        addRange(StatisticsDomains.toDomain(statistics, type, rowGroupRows));
    }

    /**
     * A row group that has the column and knows nothing of it.
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
     * @param matching rows of all row groups that match the predicate; in those that were not added the column is null
     * @param rows as many, or more if there are hardly any
     * @param sketch of the values in these row groups and perhaps others
     * @param filter that these rows match, if there is one on the column
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
     * @param values no more than this many are not null
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
        // the engine knows the size of others
        if (type instanceof FixedWidthType || sketch.isEmpty()) {
            return Estimate.unknown();
        }
        if (values == 0 || sketch.get().values() == 0) {
            return Estimate.zero();
        }
        double averageSize = (double) sketch.get().bytes() / sketch.get().values();
        // Told that texts are short, the optimizer carries more rows from join to join, for it compares costs by bytes. How
        // many rows an expanding join has it does not know: in q72 of TPC-DS it takes the weeks of all of date_dim for the
        // weeks of inventory, and expects 416,192 rows of a join that has 16 million (docs/benchmarks.md)
        return averageSize < ASSUMED_SIZE ? Estimate.unknown() : Estimate.of(averageSize * values);
    }
}
