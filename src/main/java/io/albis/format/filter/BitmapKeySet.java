package io.albis.format.filter;

import io.albis.format.layout.block.IntegerRun;

import static io.airlift.slice.SizeOf.sizeOf;

/**
 * A set of single one-long keys that are close to each other.
 *
 * @param min smallest key
 * @param words bitmap with one bit for each key starting at {@code min}
 */
record BitmapKeySet(long min, long[] words)
        implements KeySet
{
    // Maximum size of a bitmap in bits per key, which is about the size of a hash table.
    private static final int BITS_PER_KEY = 128;

    /**
     * Returns whether a bitmap takes no more space than other sets.
     *
     * @param min smallest key
     * @param max largest key
     * @param keys number of keys
     */
    static boolean isSmaller(long min, long max, int keys)
    {
        long span = max - min;
        // negative on overflow
        return span >= 0 && span < (long) keys * BITS_PER_KEY;
    }

    /**
     * Creates a set of the first {@code size} keys.
     *
     * @param keys keys in ascending order
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
        // an unsigned shift maps keys below the smallest key to indexes beyond the last word
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
    public boolean supports(IntegerRun run)
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
