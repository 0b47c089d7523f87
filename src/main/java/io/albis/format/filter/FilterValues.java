package io.albis.format.filter;

import io.airlift.slice.Slice;
import io.albis.format.type.OrderKeys;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.SortedRangeSet;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.slice.SizeOf.instanceSize;
import static io.albis.format.filter.RowFilters.isEnforceable;
import static java.util.Objects.requireNonNull;

/**
 * The values of a domain in the form in which filters look them up. Immutable, so that filters of many threads share
 * it.
 */
public final class FilterValues
{
    private static final int INSTANCE_SIZE = instanceSize(FilterValues.class);
    // With fewer values, a binary search in ranges is as fast as a hash lookup.
    private static final int MIN_HASHED_VALUES = 4;

    private final OrderKeys orderKeys;
    private final boolean nulls;
    // without keys and bytes, whether the domain contains all values rather than none
    private final boolean all;
    @Nullable
    private final KeySet keys;
    @Nullable
    private final BytesSet bytes;

    private FilterValues(OrderKeys orderKeys, boolean nulls, boolean all, @Nullable KeySet keys, @Nullable BytesSet bytes)
    {
        this.orderKeys = requireNonNull(orderKeys, "orderKeys is null");
        this.nulls = nulls;
        this.all = all;
        this.keys = keys;
        this.bytes = bytes;
    }

    /**
     * Creates the lookup structure of a domain.
     *
     * @throws IllegalArgumentException if the domain is not enforceable
     */
    public static FilterValues of(Domain domain)
    {
        Type type = domain.getType();
        checkArgument(isEnforceable(type, domain), "type %s does not support filtering by %s", type.getDisplayName(), domain);
        ValueSet values = domain.getValues();
        OrderKeys orderKeys = OrderKeys.of(type);
        if (values.isAll() || values.isNone()) {
            return new FilterValues(orderKeys, domain.isNullAllowed(), values.isAll(), null, null);
        }
        if (orderKeys.hasKeys()) {
            return new FilterValues(orderKeys, domain.isNullAllowed(), false, KeySetBuilder.toKeySet(orderKeys, (SortedRangeSet) values), null);
        }
        return new FilterValues(orderKeys, domain.isNullAllowed(), false, null, bytesSet(orderKeys, values));
    }

    private static BytesSet bytesSet(OrderKeys orderKeys, ValueSet values)
    {
        List<Range> ranges = values.getRanges().getOrderedRanges();
        if (ranges.size() >= MIN_HASHED_VALUES && values.isDiscreteSet()) {
            return new HashBytesSet(ranges.stream()
                    .map(range -> (Slice) range.getSingleValue())
                    .collect(toImmutableList()));
        }
        return new RangesBytesSet(ranges, orderKeys.isPadded());
    }

    /**
     * Creates a filter for use by one thread.
     */
    public ValueFilter newFilter()
    {
        if (keys != null) {
            return new KeyFilter(orderKeys, keys, nulls);
        }
        if (bytes != null) {
            return new BytesFilter(bytes, nulls);
        }
        return new NullFilter(nulls, all);
    }

    public long retainedSize()
    {
        return INSTANCE_SIZE + (keys == null ? 0 : keys.retainedSize()) + (bytes == null ? 0 : bytes.retainedSize());
    }
}
