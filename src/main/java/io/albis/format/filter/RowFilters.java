package io.albis.format.filter;

import io.albis.format.type.OrderKeys;
import io.trino.spi.predicate.Domain;
import io.trino.spi.type.Type;

/**
 * Makes filters that decide, for each value, exactly as {@link Domain#includesNullableValue} does; with one addition:
 * NaN, which that method does not take, is in a domain only if that has all values.
 */
public final class RowFilters
{
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
        return FilterValues.of(domain).newFilter();
    }
}
