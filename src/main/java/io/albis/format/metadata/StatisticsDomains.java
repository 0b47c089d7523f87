package io.albis.format.metadata;

import io.albis.format.io.AlbisDataException;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.OrderKeys;
import io.albis.format.type.StorageType;
import io.albis.format.type.StoredValues;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;

import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;

import static io.albis.format.io.AlbisDataException.damaged;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static io.trino.spi.type.TypeUtils.typeHasNaN;

/**
 * Converts statistics to domains, so that a predicate can be tested against them without reading any rows.
 */
public final class StatisticsDomains
{
    private StatisticsDomains() {}

    /**
     * Returns a domain that contains all values of the column. The domain may also contain other values. Bounds of
     * another type than {@code type} are not used.
     *
     * @param rows number of rows that the statistics describe
     * @throws UncheckedIOException with an {@link AlbisDataException} as its cause if the bounds are not valid for the
     *         type
     */
    public static Domain toDomain(ColumnStatistics statistics, Type type, long rows)
    {
        if (statistics.nullCount() >= rows) {
            return Domain.onlyNull(type);
        }
        ValueSet values;
        try {
            values = toValues(statistics.forType(type), type);
        }
        catch (RuntimeException e) {
            // The bounds have a wrong length or a wrong order, or are NaN. This can be detected only now that the type
            // is known.
            throw damagedBounds(statistics, type, e);
        }
        return Domain.create(values, statistics.nullCount() > 0);
    }

    /**
     * Returns a domain that contains what a scan returns for the elements of arrays or maps, which is null where these
     * are null, and may be null elsewhere.
     *
     * @param statistics statistics of the arrays or maps
     * @param type type of the elements
     * @param rows number of rows that the statistics describe
     */
    public static Domain ofElements(ColumnStatistics statistics, Type type, long rows)
    {
        return statistics.nullCount() >= rows ? Domain.onlyNull(type) : Domain.all(type);
    }

    private static ValueSet toValues(ColumnStatistics statistics, Type type)
    {
        if (!OrderKeys.of(type).hasOrder() || (statistics.min().isEmpty() && statistics.max().isEmpty())) {
            return ValueSet.all(type);
        }
        Optional<Object> min = statistics.min().map(bytes -> toNativeValue(type, bytes));
        Optional<Object> max = statistics.max().map(bytes -> toNativeValue(type, bytes));
        if (min.isEmpty()) {
            return ValueSet.ofRanges(Range.lessThanOrEqual(type, max.orElseThrow()));
        }
        if (max.isEmpty()) {
            return ValueSet.ofRanges(Range.greaterThanOrEqual(type, min.get()));
        }
        return ValueSet.ofRanges(Range.range(type, min.get(), true, max.get(), true));
    }

    /**
     * Converts a bound to Trino's native value.
     *
     * @throws UncheckedIOException with an {@link AlbisDataException} as its cause if the bound is not valid for the
     *         type
     */
    public static Object toNativeValue(ColumnStatistics statistics, Type type, byte[] bound)
    {
        try {
            return toNativeValue(type, bound);
        }
        catch (RuntimeException e) {
            throw damagedBounds(statistics, type, e);
        }
    }

    private static UncheckedIOException damagedBounds(ColumnStatistics statistics, Type type, RuntimeException cause)
    {
        AlbisDataException damaged = damaged("Damaged Albis table: the bounds of column %s are not valid for type %s: %s", statistics.columnId(), type.getDisplayName(), cause.getMessage());
        damaged.initCause(cause);
        return new UncheckedIOException(damaged);
    }

    private static Object toNativeValue(Type type, byte[] bound)
    {
        return readNativeValue(type, StoredValues.toBlock(StorageType.of(type), bound), 0);
    }

    /**
     * Returns the statistics that those of a column imply for the column or for a part of it. A part may be null where
     * the column is not.
     *
     * @param ofColumn statistics of the column, if they are known
     * @param rows number of rows that the statistics describe
     */
    public static Optional<ColumnStatistics> statistics(AlbisColumn column, Optional<ColumnStatistics> ofColumn, long rows)
    {
        return column.isPart() ? ofColumn.filter(statistics -> statistics.nullCount() >= rows) : ofColumn;
    }

    /**
     * Returns whether a row of the row group may match the predicate. A column that the row group does not store has
     * its initial value in all of its rows.
     */
    public static boolean overlaps(RowGroup rowGroup, TupleDomain<AlbisColumn> predicate)
    {
        if (predicate.isNone()) {
            return false;
        }
        for (Map.Entry<AlbisColumn, Domain> entry : predicate.getDomains().orElseThrow().entrySet()) {
            AlbisColumn column = entry.getKey();
            Domain domain = entry.getValue();
            Optional<ColumnStatistics> statistics = rowGroup.statistics(column);
            if (statistics.isPresent()) {
                if (!overlaps(statistics.get(), rowGroup.rows(), domain)) {
                    return false;
                }
            }
            else if (!column.isMissingIn(domain) && rowGroup.columnGroup(column.id()).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether all rows of the row group match the predicate, according to the statistics.
     */
    public static boolean containsAll(RowGroup rowGroup, TupleDomain<AlbisColumn> predicate)
    {
        if (predicate.isNone()) {
            return false;
        }
        return predicate.getDomains().orElseThrow().entrySet().stream()
                .allMatch(entry -> containsAll(rowGroup, entry.getKey(), entry.getValue()));
    }

    private static boolean containsAll(RowGroup rowGroup, AlbisColumn column, Domain domain)
    {
        if (rowGroup.columnGroup(column.id()).isEmpty()) {
            return column.isMissingIn(domain);
        }
        Optional<ColumnStatistics> statistics = rowGroup.statistics(column);
        return statistics.isEmpty() ? domain.isAll() : containsAll(statistics.get(), rowGroup.rows(), domain);
    }

    /**
     * Returns whether all values of the column are in the domain, according to the statistics.
     *
     * @param rows number of rows that the statistics describe
     */
    public static boolean containsAll(ColumnStatistics statistics, long rows, Domain domain)
    {
        // bounds do not cover NaN, which is in a domain only if all values are
        return (domain.getValues().isAll() || !typeHasNaN(domain.getType())) &&
                domain.contains(toDomain(statistics, domain.getType(), rows));
    }

    /**
     * Returns whether a value of the column may be in the domain.
     *
     * @param rows number of rows that the statistics describe
     */
    public static boolean overlaps(ColumnStatistics statistics, long rows, Domain domain)
    {
        return toDomain(statistics, domain.getType(), rows).overlaps(domain);
    }
}
