package io.albis.format.index;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.format.type.OrderKeys;
import io.trino.spi.block.Block;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.SortedRangeSet;

import java.util.List;
import java.util.Optional;

import static io.albis.format.type.FlatBlocks.flat;

/**
 * Converts the values of a domain to ranges of keys.
 */
final class KeyRanges
{
    private KeyRanges() {}

    /**
     * Returns the ranges of a domain in ascending order. They do not overlap. NaN is in none of them.
     *
     * @throws ClassCastException if the type of the domain has no order
     */
    static List<KeyRange> of(Domain domain)
    {
        OrderKeys orderKeys = OrderKeys.of(domain.getType());
        SortedRangeSet values = (SortedRangeSet) domain.getValues();
        // the bounds in order, the low bound of a range before its high bound; null for an unbounded end
        Block sortedRanges = values.getSortedRanges();
        ValueBlock bounds = flat(sortedRanges, 0, sortedRanges.getPositionCount());
        List<Optional<Slice>> keys = keys(orderKeys, bounds);
        boolean[] inclusive = values.getInclusive();
        ImmutableList.Builder<KeyRange> ranges = ImmutableList.builderWithExpectedSize(inclusive.length / 2);
        for (int low = 0; low < inclusive.length; low += 2) {
            ranges.add(new KeyRange(keys.get(low), inclusive[low], keys.get(low + 1), inclusive[low + 1]));
        }
        return ranges.build();
    }

    private static List<Optional<Slice>> keys(OrderKeys orderKeys, ValueBlock block)
    {
        int count = block.getPositionCount();
        long[] high = new long[count];
        long[] low = new long[count];
        if (orderKeys.hasKeys()) {
            orderKeys.extract(block, 0, count, high, low);
        }
        ImmutableList.Builder<Optional<Slice>> keys = ImmutableList.builderWithExpectedSize(count);
        for (int position = 0; position < count; position++) {
            if (block.isNull(position)) {
                keys.add(Optional.empty());
            }
            else if (!orderKeys.hasKeys()) {
                keys.add(Optional.of(((VariableWidthBlock) block).getSlice(position)));
            }
            else {
                keys.add(Optional.of(orderKeys.isWide() ? IndexKeys.key(high[position], low[position]) : IndexKeys.key(high[position])));
            }
        }
        return keys.build();
    }
}
