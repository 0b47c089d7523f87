package io.albis.trino.pushdown;

import com.google.common.collect.Lists;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.SortedRangeSet;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.math.IntMath.divide;
import static java.math.RoundingMode.CEILING;

/**
 * Compacts domains with many values or ranges by merging neighbors into one range. A compacted domain includes all
 * values of the original, and others.
 */
final class DomainCompaction
{
    private DomainCompaction() {}

    /**
     * Returns whether compaction leaves the predicate unchanged.
     */
    static boolean isCompact(TupleDomain<AlbisColumnHandle> predicate, int maxRanges)
    {
        return compact(predicate, maxRanges).equals(predicate);
    }

    static TupleDomain<AlbisColumnHandle> compact(TupleDomain<AlbisColumnHandle> predicate, int maxRanges)
    {
        return predicate.transformDomains((_, domain) -> compact(domain, maxRanges));
    }

    static Domain compact(Domain domain, int maxRanges)
    {
        if (!(domain.getValues() instanceof SortedRangeSet values)) {
            // values without an order have no ranges
            return domain.simplify(maxRanges);
        }
        if (values.getRangeCount() <= maxRanges) {
            return domain;
        }
        // not Domain.simplify, which merges all ranges into one
        List<Range> ranges = values.getOrderedRanges();
        List<Range> compact = Lists.partition(ranges, divide(ranges.size(), maxRanges, CEILING)).stream()
                .map(neighbors -> neighbors.getFirst().span(neighbors.getLast()))
                .collect(toImmutableList());
        return Domain.create(ValueSet.ofRanges(compact), domain.isNullAllowed());
    }
}
