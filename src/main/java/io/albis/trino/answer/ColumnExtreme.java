package io.albis.trino.answer;

import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.BoundComparator;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.BytesBounds;
import io.albis.format.type.OrderKeys;
import io.albis.format.type.StoredValues;
import io.trino.spi.expression.Constant;

import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;

import static io.trino.spi.type.TypeUtils.isFloatingPointNaN;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static java.util.Objects.requireNonNull;

/**
 * Finds the least or the greatest value of a column in the matching rows of row groups. A bound is a value of a row of
 * its row group if it is not truncated, but this row may be deleted, or not match. Such a bound does no harm if another
 * row group has a value that is at least as small, or as great.
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

    @Override
    public boolean add(RowGroup rowGroup)
    {
        if (rowGroup.columnGroup(column.id()).isEmpty()) {
            return addMissing(rowGroup);
        }
        Optional<ColumnStatistics> found = rowGroup.statistics(column.id()).map(statistics -> statistics.forType(column.type()));
        if (found.isEmpty()) {
            return false;
        }
        ColumnStatistics statistics = found.get();
        if (statistics.nullCount() >= rowGroup.rows()) {
            return true;
        }
        Optional<byte[]> bound = minimum ? statistics.min() : statistics.max();
        if (bound.isEmpty()) {
            // all values are NaN, or the bound is not known
            return false;
        }
        // fails if the bounds are damaged
        StatisticsDomains.toDomain(statistics, column.type(), rowGroup.rows());
        add(bound.get(), isValue(bound.get()) && isInMatchingRow(rowGroup, statistics, bound.get()));
        return true;
    }

    private boolean addMissing(RowGroup rowGroup)
    {
        if (column.initial().isEmpty()) {
            return true;
        }
        if (isFloatingPointNaN(column.type(), column.initial().get().toNativeValue(column.type()))) {
            return false;
        }
        add(column.initial().get().bytes().getBytes(), isAnyRowMatching(rowGroup));
        return true;
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
    private boolean isInMatchingRow(RowGroup rowGroup, ColumnStatistics statistics, byte[] bound)
    {
        if (rowGroup.deletedRows().isEmpty()) {
            return rows.containsAllWith(rowGroup, column, toNativeValue(bound));
        }
        // the row with the bound may be deleted, unless all rows have it
        return isConstant(statistics) && isAnyRowMatching(rowGroup);
    }

    private boolean isAnyRowMatching(RowGroup rowGroup)
    {
        OptionalLong count = rows.count(rowGroup);
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
