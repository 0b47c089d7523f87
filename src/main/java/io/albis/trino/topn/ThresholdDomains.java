package io.albis.trino.topn;

import io.trino.spi.block.Block;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;

import static io.trino.spi.type.TypeUtils.readNativeValue;
import static java.util.Objects.requireNonNull;

/**
 * Returns the values of a sort key that can still be among the first ones, as a domain. A domain contains NaN only if
 * it contains all values, and bounds do not cover NaN.
 */
final class ThresholdDomains
{
    private final SortKeyOrder order;
    private final boolean includesNaN;

    /**
     * @param mayBeNaN whether the scan may return NaN
     */
    ThresholdDomains(SortKeyOrder order, boolean mayBeNaN)
    {
        this.order = requireNonNull(order, "order is null");
        this.includesNaN = mayBeNaN && order.isNaNFirst();
    }

    /**
     * Returns a domain with all values that come before a value.
     *
     * @param orEqual whether it also contains those that are equal to it
     */
    Domain before(Block block, int position, boolean orEqual)
    {
        Type type = order.type();
        if (block.isNull(position)) {
            if (order.isNullsFirst()) {
                return orEqual ? Domain.onlyNull(type) : Domain.none(type);
            }
            return orEqual ? Domain.all(type) : Domain.notNull(type);
        }
        if (order.isNaN(block, position)) {
            return Domain.create(beforeNaN(orEqual), order.isNullsFirst());
        }
        return before(readNativeValue(type, block, position), orEqual);
    }

    /**
     * Returns a domain with all values that come before a native value, which is neither null nor NaN.
     */
    Domain before(Object value, boolean orEqual)
    {
        return Domain.create(includesNaN ? ValueSet.all(order.type()) : range(value, orEqual), order.isNullsFirst());
    }

    private ValueSet beforeNaN(boolean orEqual)
    {
        if (orEqual) {
            return ValueSet.all(order.type());
        }
        if (order.isNaNFirst()) {
            return ValueSet.none(order.type());
        }
        // NaN is not among the numbers up to infinity
        return range(order.floatingPoint(order.isAscending() ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY), true);
    }

    private ValueSet range(Object value, boolean orEqual)
    {
        Type type = order.type();
        if (order.isAscending()) {
            return ValueSet.ofRanges(orEqual ? Range.lessThanOrEqual(type, value) : Range.lessThan(type, value));
        }
        return ValueSet.ofRanges(orEqual ? Range.greaterThanOrEqual(type, value) : Range.greaterThan(type, value));
    }
}
