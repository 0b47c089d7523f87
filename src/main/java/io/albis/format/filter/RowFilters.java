package io.albis.format.filter;

import io.albis.format.type.OrderKeys;
import io.trino.spi.predicate.Domain;
import io.trino.spi.type.Type;

/**
 * States which domains {@link FilterValues} can turn into filters. These filters make the same decision for each value
 * as {@link Domain#includesNullableValue}. In addition, they support NaN, which that method rejects: a domain contains
 * NaN only if it contains all values.
 */
public final class RowFilters
{
    private RowFilters() {}

    /**
     * Returns whether a filter supports the domain. It does not support single values of a type without an
     * order, such as JSON, because equality of such values differs from equality of their bytes.
     */
    public static boolean isEnforceable(Type type, Domain domain)
    {
        return OrderKeys.of(type).hasOrder() || domain.getValues().isAll() || domain.getValues().isNone();
    }
}
