package io.albis.format.filter;

import io.airlift.slice.Slice;
import io.albis.format.type.OrderKeys;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.SortedRangeSet;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Makes filters that decide, for each value, exactly as {@link Domain#includesNullableValue} does; with one addition:
 * NaN, which that method does not take, is in a domain only if that has all values.
 */
public final class RowFilters
{
    // Below this a search in ranges is as fast as a hash
    private static final int MIN_HASHED_VALUES = 4;

    private RowFilters() {}

    /**
     * Whether {@link #create} can make a filter. It can not for single values of a type without an order, such as JSON,
     * whose equality is not that of the bytes.
     */
    public static boolean isEnforceable(Type type, Domain domain)
    {
        return OrderKeys.of(type) != OrderKeys.NONE || domain.getValues().isAll() || domain.getValues().isNone();
    }

    /**
     * @throws IllegalArgumentException if the domain is not enforceable
     */
    public static ValueFilter create(Domain domain)
    {
        Type type = domain.getType();
        checkArgument(isEnforceable(type, domain), "%s cannot be filtered by %s", type.getDisplayName(), domain);
        ValueSet values = domain.getValues();
        if (values.isAll() || values.isNone()) {
            return new NullFilter(domain.isNullAllowed(), values.isAll());
        }
        OrderKeys orderKeys = OrderKeys.of(type);
        if (orderKeys.hasKeys()) {
            return new KeyFilter(orderKeys, KeySets.of(orderKeys, (SortedRangeSet) values), domain.isNullAllowed());
        }
        return new BytesFilter(bytesSet(orderKeys, values), domain.isNullAllowed());
    }

    private static BytesSet bytesSet(OrderKeys orderKeys, ValueSet values)
    {
        List<Range> ranges = values.getRanges().getOrderedRanges();
        if (ranges.size() >= MIN_HASHED_VALUES && values.isDiscreteSet()) {
            return new HashBytesSet(ranges.stream()
                    .map(range -> (Slice) range.getSingleValue())
                    .collect(toImmutableList()));
        }
        return new RangesBytesSet(ranges, orderKeys == OrderKeys.CHAR);
    }
}
