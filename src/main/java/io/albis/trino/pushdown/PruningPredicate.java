package io.albis.trino.pushdown;

import io.albis.format.schema.AlbisColumn;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.spi.predicate.TupleDomain;

/**
 * Prepares predicates that prune row groups. They are compared with the bounds of each row group, so they must be small.
 */
public final class PruningPredicate
{
    /**
     * Maximum number of ranges in a domain. More ranges rarely prune more row groups.
     */
    private static final int MAX_RANGES = 1000;

    private PruningPredicate() {}

    /**
     * Returns a predicate on the stored columns that is true for all values for which the original is true, and may be
     * true for others.
     */
    public static TupleDomain<AlbisColumn> of(TupleDomain<AlbisColumnHandle> predicate)
    {
        return predicate
                .simplify(MAX_RANGES)
                .transformKeys(AlbisColumnHandle::toColumn);
    }
}
