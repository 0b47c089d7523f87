package io.albis.trino.answer;

import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.BytesBounds;
import io.albis.format.type.OrderKeys;
import io.albis.table.part.TablePart;
import io.trino.spi.predicate.NullableValue;
import io.trino.spi.type.Type;

import java.util.Arrays;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A column by which rows are grouped. Only metadata of row groups in which all rows have the same value answers a query
 * with a group key.
 *
 * @param column a column of which equal values are the same
 */
record GroupKey(AlbisColumn column)
{
    GroupKey
    {
        requireNonNull(column, "column is null");
        checkArgument(isSupported(column.type()), "equal values of type %s can differ", column.type());
    }

    /**
     * Returns whether values of a type are the same if they are equal, and bounds cover all of them. Otherwise it would
     * depend on the metadata which one of several equal values is in the result.
     */
    static boolean isSupported(Type type)
    {
        return switch (OrderKeys.of(type)) {
            case INTEGRAL, LONG_TIMESTAMP, LONG_DECIMAL, SIXTEEN_BYTES, BYTES -> true;
            case REAL, DOUBLE, SHORT_TIME_WITH_TIME_ZONE, LONG_TIME_WITH_TIME_ZONE, SHORT_TIMESTAMP_WITH_TIME_ZONE, LONG_TIMESTAMP_WITH_TIME_ZONE, CHAR, NONE -> false;
        };
    }

    /**
     * Returns the value that the column has in all rows of a part of a table, including deleted ones; empty if it is
     * not known to be the same.
     */
    Optional<NullableValue> find(TablePart part)
    {
        Type type = column.type();
        if (part.isMissing(column)) {
            return Optional.of(column.initial()
                    .map(value -> NullableValue.of(type, value.toNativeValue(type)))
                    .orElseGet(() -> NullableValue.asNull(type)));
        }
        Optional<ColumnStatistics> statistics = part.statistics(column).map(found -> found.forType(type));
        if (statistics.isEmpty()) {
            return Optional.empty();
        }
        if (statistics.get().nullCount() >= part.rows()) {
            return Optional.of(NullableValue.asNull(type));
        }
        if (!isConstant(statistics.get())) {
            return Optional.empty();
        }
        byte[] bound = statistics.get().min().orElseThrow();
        if (OrderKeys.of(type) == OrderKeys.BYTES && !BytesBounds.isValue(bound)) {
            return Optional.empty();
        }
        return Optional.of(NullableValue.of(type, StatisticsDomains.toNativeValue(statistics.get(), type, bound)));
    }

    /**
     * Returns whether all rows have the same value.
     *
     * @param statistics of a column of a supported type
     */
    static boolean isConstant(ColumnStatistics statistics)
    {
        return statistics.nullCount() == 0 && statistics.hasBothBounds() && Arrays.equals(statistics.min().get(), statistics.max().get());
    }
}
