package io.albis.format.layout.block;

import io.airlift.slice.Slice;
import io.albis.format.type.OrderKeys;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntComparator;

import java.util.function.Supplier;

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
     * Returns the order of entries that are not null.
     *
     * @param values the entries; called only if they can be sorted
     */
    static EntryOrder of(int count, OrderKeys orderKeys, Supplier<ValueBlock> values)
    {
        int[] entries = new int[count];
        for (int entry = 0; entry < entries.length; entry++) {
            entries[entry] = entry;
        }
        if (!orderKeys.hasOrder() || entries.length > MAX_SORTED_ENTRIES) {
            return new EntryOrder(entries, false);
        }
        ValueBlock block = values.get();
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
            Slice[] texts = slices((VariableWidthBlock) block);
            comparator = orderKeys.isPadded() ?
                    (left, right) -> compareChars(texts[left], texts[right]) :
                    (left, right) -> texts[left].compareTo(texts[right]);
        }
        // stable, so that equal rows have equal bytes
        IntArrays.mergeSort(entries, comparator);
        return new EntryOrder(entries, sorted);
    }

    private static Slice[] slices(VariableWidthBlock texts)
    {
        Slice[] slices = new Slice[texts.getPositionCount()];
        for (int entry = 0; entry < slices.length; entry++) {
            slices[entry] = texts.getSlice(entry);
        }
        return slices;
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
