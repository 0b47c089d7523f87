package io.albis.trino.pushdown;

import io.albis.format.schema.AlbisColumn;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.RowTests;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Prepares predicates that prune row groups. They are compared with the bounds of each row group, so they must be
 * small.
 */
public final class PruningPredicate
{
    /**
     * The maximum number of ranges in a domain. More ranges rarely prune more row groups.
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

    /**
     * Returns the predicates of the branches of each alternative, one of which is true for all values for which the
     * alternative is true. Leaves out those that are always true.
     */
    public static List<List<TupleDomain<AlbisColumn>>> of(RowTests tests)
    {
        return tests.alternatives().stream()
                .map(alternatives -> alternatives.branches().stream()
                        .map(branch -> of(branch.domains()))
                        .collect(toImmutableList()))
                .filter(branches -> branches.stream().noneMatch(TupleDomain::isAll))
                .collect(toImmutableList());
    }
}
