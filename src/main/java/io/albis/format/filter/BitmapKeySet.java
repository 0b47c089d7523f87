package io.albis.format.filter;

import io.albis.format.layout.block.IntegerRun;

import static io.airlift.slice.SizeOf.sizeOf;

/**
 * Single keys of one long that are near each other.
 *
 * @param min the least key
 * @param words a bit for each key from the least on
 */
record BitmapKeySet(long min, long[] words)
        implements KeySet
{
    // A bitmap may take so many bits for each key: about what a hash table takes
    private static final int BITS_PER_KEY = 128;

    /**
     * Whether a bitmap takes no more room than other sets.
     *
     * @param min the least of the keys
     * @param max the greatest
     */
    static boolean pays(long min, long max, int keys)
    {
        long span = max - min;
        // negative if it overflows
        return span >= 0 && span < (long) keys * BITS_PER_KEY;
    }

    /**
     * @param keys ascending
     */
    static BitmapKeySet of(long[] keys, int size)
    {
        long min = keys[0];
        long[] words = new long[(int) ((keys[size - 1] - min) / Long.SIZE) + 1];
        for (int i = 0; i < size; i++) {
            long bit = keys[i] - min;
            words[(int) (bit / Long.SIZE)] |= 1L << bit;
        }
        return new BitmapKeySet(min, words);
    }

    @Override
    public boolean contains(long high, long low)
    {
        long bit = high - min;
        // as an unsigned number, what is below the least key is far behind the last one
        long word = bit >>> 6;
        return word < words.length && ((words[(int) word] >>> bit) & 1) != 0;
    }

    @Override
    public int select(long[] high, long[] low, int count, int[] selected)
    {
        int size = 0;
        for (int i = 0; i < count; i++) {
            selected[size] = i;
            size += contains(high[i], 0) ? 1 : 0;
        }
        return size;
    }

    @Override
    public boolean takes(IntegerRun run)
    {
        return run.isNarrow();
    }

    @Override
    public int select(IntegerRun run, int[] rows, int count)
    {
        return run.selectBits(min, words, rows, count);
    }

    @Override
    public long retainedSize()
    {
        return sizeOf(words);
    }
}
