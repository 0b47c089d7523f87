package io.albis.format.layout.block;

import io.albis.format.type.OrderKeys;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntComparator;

import static io.trino.spi.type.Chars.compareChars;

/**
 * The order in which the entries of a dictionary are stored: that of their type, so that the order of ids is the order
 * of values, or that of their first occurrence if the type has no order or sorting would take too long.
 *
 * @param entries the entries in the order in which they are stored
 * @param sorted whether no entry is less than the one before it
 */
record EntryOrder(int[] entries, boolean sorted)
{
    private static final int MAX_SORTED_ENTRIES = 4096;

    /**
     * Returns the order of the entries of a block without nulls.
     */
    static EntryOrder of(ValueBlock block, OrderKeys orderKeys)
    {
        int[] entries = new int[block.getPositionCount()];
        for (int entry = 0; entry < entries.length; entry++) {
            entries[entry] = entry;
        }
        if (orderKeys == OrderKeys.NONE || entries.length > MAX_SORTED_ENTRIES) {
            return new EntryOrder(entries, false);
        }
        boolean sorted = true;
        IntComparator comparator;
        if (orderKeys.hasKeys()) {
            long[] high = new long[entries.length];
            long[] low = new long[entries.length];
            orderKeys.extract(block, 0, entries.length, high, low);
            // NaN has no place in the order
            sorted = !orderKeys.isFloatingPoint() || !contains(high, OrderKeys.NAN);
            comparator = (left, right) -> OrderKeys.compare(high[left], low[left], high[right], low[right]);
        }
        else {
            VariableWidthBlock texts = (VariableWidthBlock) block;
            comparator = orderKeys == OrderKeys.CHAR ?
                    (left, right) -> compareChars(texts.getSlice(left), texts.getSlice(right)) :
                    (left, right) -> texts.getSlice(left).compareTo(texts.getSlice(right));
        }
        // stable, so that equal rows have equal bytes
        IntArrays.mergeSort(entries, comparator);
        return new EntryOrder(entries, sorted);
    }

    private static boolean contains(long[] values, long searched)
    {
        for (long value : values) {
            if (value == searched) {
                return true;
            }
        }
        return false;
    }

    /**
     * Replaces the index of each entry by its place in this order. Negative ids, which are those of nulls, are kept.
     */
    void renumber(int[] ids, int count)
    {
        int[] places = new int[entries.length];
        for (int place = 0; place < entries.length; place++) {
            places[entries[place]] = place;
        }
        for (int i = 0; i < count; i++) {
            if (ids[i] >= 0) {
                ids[i] = places[ids[i]];
            }
        }
    }
}
