package io.albis.format.filter;

import static io.airlift.slice.SizeOf.sizeOf;
import static it.unimi.dsi.fastutil.HashCommon.arraySize;
import static it.unimi.dsi.fastutil.HashCommon.mix;

/**
 * A hash set of two-long keys.
 */
final class WideHashKeySet
        implements KeySet
{
    private static final float LOAD_FACTOR = 0.5f;

    private final long[] high;
    private final long[] low;
    // Index of a key plus one, or 0 for an empty slot. A key is stored at its hash or in the next empty slot.
    private final int[] slots;

    /**
     * Creates the set of the keys with the same index in both arrays.
     *
     * @param high first longs of keys that are all different
     * @param low second longs of the keys
     */
    WideHashKeySet(long[] high, long[] low)
    {
        this.high = high;
        this.low = low;
        slots = new int[arraySize(high.length, LOAD_FACTOR)];
        for (int key = 0; key < high.length; key++) {
            int slot = firstSlot(high[key], low[key]);
            while (slots[slot] != 0) {
                slot = nextSlot(slot);
            }
            slots[slot] = key + 1;
        }
    }

    private int firstSlot(long high, long low)
    {
        // asymmetric, so that (a, b) and (b, a) have different hashes
        return (int) mix(mix(high) + low) & (slots.length - 1);
    }

    private int nextSlot(int slot)
    {
        return (slot + 1) & (slots.length - 1);
    }

    @Override
    public boolean contains(long high, long low)
    {
        int slot = firstSlot(high, low);
        while (slots[slot] != 0) {
            int key = slots[slot] - 1;
            if (this.high[key] == high && this.low[key] == low) {
                return true;
            }
            slot = nextSlot(slot);
        }
        return false;
    }

    @Override
    public int select(long[] high, long[] low, int count, int[] selected)
    {
        int size = 0;
        for (int i = 0; i < count; i++) {
            selected[size] = i;
            size += contains(high[i], low[i]) ? 1 : 0;
        }
        return size;
    }

    @Override
    public long retainedSize()
    {
        return sizeOf(high) + sizeOf(low) + sizeOf(slots);
    }
}
