package io.albis.format.index;

import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;

import java.util.List;
import java.util.OptionalInt;

/**
 * The single values that a domain excludes, as that of {@code c <> 5} or {@code c NOT IN (5, 7)}.
 */
final class ExcludedValues
{
    private ExcludedValues() {}

    /**
     * Returns the number of values that a domain does not contain.
     *
     * @return empty if it excludes a range of values
     */
    static OptionalInt count(Domain domain)
    {
        ValueSet values = domain.getValues();
        if (values.isNone()) {
            return OptionalInt.empty();
        }
        List<Range> ranges = values.getRanges().getOrderedRanges();
        if (!ranges.getFirst().isLowUnbounded() || !ranges.getLast().isHighUnbounded()) {
            return OptionalInt.empty();
        }
        for (int next = 1; next < ranges.size(); next++) {
            Range left = ranges.get(next - 1);
            Range right = ranges.get(next);
            // neither of them contains the bound, or they would be one range
            if (!left.getHighBoundedValue().equals(right.getLowBoundedValue())) {
                return OptionalInt.empty();
            }
        }
        return OptionalInt.of(ranges.size() - 1);
    }
}
