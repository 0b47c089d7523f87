package io.albis.format.index;

import io.airlift.slice.Slice;
import io.albis.format.type.OrderKeys;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A range of the keys of an index.
 *
 * @param low lowest key; empty if there is none
 * @param lowInclusive whether the lowest key belongs to the range
 * @param high highest key; empty if there is none
 * @param highInclusive whether the highest key belongs to the range
 */
record KeyRange(Optional<Slice> low, boolean lowInclusive, Optional<Slice> high, boolean highInclusive)
{
    static final KeyRange ALL = new KeyRange(Optional.empty(), true, Optional.empty(), true);

    KeyRange
    {
        requireNonNull(low, "low is null");
        requireNonNull(high, "high is null");
    }

    /**
     * Returns whether a key is before all keys of the range.
     */
    boolean isAfter(OrderKeys orderKeys, Slice key)
    {
        if (low.isEmpty()) {
            return false;
        }
        int comparison = IndexKeys.compare(orderKeys, key, low.get());
        return comparison < 0 || (comparison == 0 && !lowInclusive);
    }

    /**
     * Returns whether a key is after all keys of the range.
     */
    boolean isBefore(OrderKeys orderKeys, Slice key)
    {
        if (high.isEmpty()) {
            return false;
        }
        int comparison = IndexKeys.compare(orderKeys, key, high.get());
        return comparison > 0 || (comparison == 0 && !highInclusive);
    }
}
