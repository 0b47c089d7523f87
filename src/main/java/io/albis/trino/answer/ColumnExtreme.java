package io.albis.trino.answer;

import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.BoundComparator;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.BytesBounds;
import io.albis.format.type.OrderKeys;
import io.albis.format.type.StoredValues;
import io.albis.table.part.TablePart;
import io.trino.spi.expression.Constant;
import jakarta.annotation.Nullable;

import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;

import static io.trino.spi.type.TypeUtils.isFloatingPointNaN;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static java.util.Comparator.comparing;
import static java.util.Comparator.nullsFirst;
import static java.util.Objects.requireNonNull;

/**
 * Finds the least or the greatest value of a column in the matching rows of parts of a table. A bound is a value of a
 * row of its part if it is not truncated, but this row may be deleted, or not match. Such a bound does no harm if
 * another part has a value that is at least as small, or as great.
 * <p>
 * Bounds do not cover NaN, which min and max ignore if there is any other value. Of several values that are equal but
 * not the same, such as 0.0 and -0.0, the result is any one, as in a scan.
 */
final class ColumnExtreme
        implements Answer
{
    private final AlbisColumn column;
    private final boolean minimum;
    private final DecidedRows rows;
    private final OrderKeys orderKeys;
    private final Comparator<byte[]> order;

    // the best value that a matching row has
    private byte[] known;
    // the best bound that no matching row may have
    private byte[] possible;

    /**
     * @param column a column whose type has an order
     * @param minimum whether the least value is needed
     */
    ColumnExtreme(AlbisColumn column, boolean minimum, DecidedRows rows)
    {
        this.column = requireNonNull(column, "column is null");
        this.minimum = minimum;
        this.rows = requireNonNull(rows, "rows is null");
        this.orderKeys = OrderKeys.of(column.type());
        BoundComparator ascending = new BoundComparator(column);
        this.order = minimum ? ascending : ascending.reversed();
    }

    /**
     * The best value that a part may contribute.
     *
     * @param value the value or bound; null if no row of the part has a value
     * @param isKnown whether a matching row has the value
     */
    private record Best(@Nullable byte[] value, boolean isKnown)
    {
        static final Best NONE = new Best(null, true);
    }

    @Override
    public boolean isDecidedBy(TablePart part)
    {
        Optional<Best> best = best(part);
        // a bound that is no better than a known value does no harm
        return best.isPresent() && (best.get().isKnown() || (known != null && order.compare(best.get().value(), known) >= 0));
    }

    @Override
    public boolean add(TablePart part)
    {
        Optional<Best> best = best(part);
        best.filter(found -> found.value() != null).ifPresent(found -> add(found.value(), found.isKnown()));
        return best.isPresent();
    }

    /**
     * The part with the best bound comes first, because its values may be better than the bounds of the others. A part
     * without a bound shows that there is no result.
     */
    @Override
    public Comparator<TablePart> readingOrder()
    {
        return comparing(part -> best(part).map(Best::value).orElse(null), nullsFirst(order));
    }

    /**
     * Returns what a part may contribute; empty if it is not known.
     */
    private Optional<Best> best(TablePart part)
    {
        if (part.isMissing(column)) {
            return bestOfMissing(part);
        }
        Optional<ColumnStatistics> found = part.statistics(column).map(statistics -> statistics.forType(column.type()));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ColumnStatistics statistics = found.get();
        if (statistics.nullCount() >= part.rows()) {
            return Optional.of(Best.NONE);
        }
        Optional<byte[]> bound = minimum ? statistics.min() : statistics.max();
        if (bound.isEmpty()) {
            // all values are NaN, or the bound is not known
            return Optional.empty();
        }
        // fails if the bounds are damaged
        StatisticsDomains.toDomain(statistics, column.type(), part.rows());
        return Optional.of(new Best(bound.get(), isValue(bound.get()) && isInMatchingRow(part, statistics, bound.get())));
    }

    private Optional<Best> bestOfMissing(TablePart part)
    {
        if (column.initial().isEmpty()) {
            return Optional.of(Best.NONE);
        }
        if (isFloatingPointNaN(column.type(), column.initial().get().toNativeValue(column.type()))) {
            return Optional.empty();
        }
        return Optional.of(new Best(column.initial().get().bytes().getBytes(), isAnyRowMatching(part)));
    }

    private void add(byte[] bound, boolean isKnown)
    {
        if (isKnown) {
            known = first(bound, known);
        }
        else {
            possible = first(bound, possible);
        }
    }

    private byte[] first(byte[] bound, byte[] best)
    {
        return best == null || order.compare(bound, best) < 0 ? bound : best;
    }

    private boolean isValue(byte[] bound)
    {
        return orderKeys != OrderKeys.BYTES || BytesBounds.isValue(bound);
    }

    /**
     * Returns whether a live row that matches has the bound, given that any row has it.
     */
    private boolean isInMatchingRow(TablePart part, ColumnStatistics statistics, byte[] bound)
    {
        if (!part.hasDeletedRows() && part.hasTightBounds()) {
            return rows.containsAllWith(part, column, toNativeValue(bound));
        }
        // the row with the bound may be deleted, unless all rows have it
        return isConstant(statistics) && isAnyRowMatching(part);
    }

    private boolean isAnyRowMatching(TablePart part)
    {
        OptionalLong count = rows.count(part);
        return count.isPresent() && count.getAsLong() > 0;
    }

    /**
     * Returns whether all rows have the same value.
     */
    private boolean isConstant(ColumnStatistics statistics)
    {
        return GroupKey.isSupported(column.type()) && GroupKey.isConstant(statistics);
    }

    @Override
    public Optional<Constant> result()
    {
        if (possible != null && (known == null || order.compare(possible, known) < 0)) {
            return Optional.empty();
        }
        return Optional.of(new Constant(known == null ? null : toNativeValue(known), column.type()));
    }

    private Object toNativeValue(byte[] value)
    {
        return readNativeValue(column.type(), StoredValues.toBlock(column.storageType(), value), 0);
    }
}
