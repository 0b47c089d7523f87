package io.albis.format.filter;

import io.albis.format.type.OrderKeys;
import io.trino.spi.predicate.Domain;
import io.trino.spi.type.Type;

/**
 * Creates filters that make the same decision for each value as {@link Domain#includesNullableValue}. In addition,
 * filters support NaN, which that method rejects: a domain contains NaN only if it contains all values.
 */
public final class RowFilters
{
    private RowFilters() {}

    /**
     * Returns whether {@link #create} supports the domain. It does not support single values of a type without an
     * order, such as JSON, because equality of such values differs from equality of their bytes.
     */
    public static boolean isEnforceable(Type type, Domain domain)
    {
        return OrderKeys.of(type) != OrderKeys.NONE || domain.getValues().isAll() || domain.getValues().isNone();
    }

    /**
     * Creates a filter for use by one thread.
     *
     * @throws IllegalArgumentException if the domain is not enforceable
     */
    public static ValueFilter create(Domain domain)
    {
        return FilterValues.of(domain).newFilter();
    }
}
