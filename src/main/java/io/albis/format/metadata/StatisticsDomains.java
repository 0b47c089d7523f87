package io.albis.format.metadata;

import io.albis.format.AlbisColumn;
import io.albis.format.type.OrderKeys;
import io.albis.format.type.StorageType;
import io.albis.format.type.StoredValues;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;

import java.util.Map;
import java.util.Optional;

import static io.trino.spi.type.TypeUtils.readNativeValue;

/**
 * Statistics as domains, to find out without reading whether a predicate can hold for any row.
 */
public final class StatisticsDomains
{
    private StatisticsDomains() {}

    /**
     * All values that the column may have; never too few.
     *
     * @param rows how many rows the statistics are about
     */
    public static Domain toDomain(ColumnStatistics statistics, Type type, long rows)
    {
        if (statistics.nullCount() >= rows) {
            return Domain.onlyNull(type);
        }
        return Domain.create(toValues(statistics, type), statistics.nullCount() > 0);
    }

    private static ValueSet toValues(ColumnStatistics statistics, Type type)
    {
        if (OrderKeys.of(type) == OrderKeys.NONE || (statistics.min().isEmpty() && statistics.max().isEmpty())) {
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

    public static Object toNativeValue(Type type, byte[] bound)
    {
        return readNativeValue(type, StoredValues.toBlock(StorageType.of(type), bound), 0);
    }

    /**
     * Whether a row of the row group may match. A column that the row group does not have is null in all its rows.
     */
    public static boolean overlaps(RowGroup rowGroup, TupleDomain<AlbisColumn> predicate)
    {
        if (predicate.isNone()) {
            return false;
        }
        for (Map.Entry<AlbisColumn, Domain> entry : predicate.getDomains().orElseThrow().entrySet()) {
            AlbisColumn column = entry.getKey();
            Domain domain = entry.getValue();
            Optional<ColumnStatistics> statistics = rowGroup.statistics(column.id());
            if (statistics.isPresent()) {
                if (!overlaps(statistics.get(), rowGroup.rows(), domain)) {
                    return false;
                }
            }
            else if (!domain.isNullAllowed() && !rowGroup.columnIds().contains(column.id())) {
                return false;
            }
        }
        return true;
    }

    public static boolean overlaps(ColumnStatistics statistics, long rows, Domain domain)
    {
        return toDomain(statistics, domain.getType(), rows).overlaps(domain);
    }
}
