package io.albis.format.layout.block;

import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.Segment;

import java.util.Arrays;

/**
 * Assigns ids to the distinct values of a fixed width in a segment, and stops when there are too many of them. A value
 * is one or two longs.
 */
public final class FixedDictionaryBuilder
{
    // After this number of rows, the builder stops if there are fewer rows per entry than the minimum.
    private static final int ROWS_BEFORE_GIVING_UP = 2048;
    private static final int MIN_ROWS_PER_ENTRY = 2;
    private static final int INITIAL_TABLE_SIZE = 1024;

    private int maxEntries;
    private int entries;
    private int[] ids = new int[0];
    private long[] high = new long[0];
    private long[] low = new long[0];
    // Entry plus one by hash, with open addressing. At most half full.
    private int[] table = new int[0];

    /**
     * Starts a segment.
     *
     * @param maxEntries maximum number of entries; less than {@link Dictionary#MAX_ENTRIES}
     */
    void start(int maxEntries)
    {
        this.maxEntries = maxEntries;
        entries = 0;
        if (ids.length == 0) {
            ids = new int[Segment.MAX_ROWS];
            high = new long[INITIAL_TABLE_SIZE / 2];
            low = new long[INITIAL_TABLE_SIZE / 2];
            table = new int[INITIAL_TABLE_SIZE];
        }
        Arrays.fill(table, 0);
    }

    void addNull(int row)
    {
        ids[row] = -1;
    }

    /**
     * Adds the value of a row.
     *
     * @return whether the value has an entry; otherwise there are too many of them
     */
    boolean add(int row, long valueHigh, long valueLow)
    {
        int index = find(valueHigh, valueLow);
        if (table[index] == 0) {
            if (entries == maxEntries || (row >= ROWS_BEFORE_GIVING_UP && entries > row / MIN_ROWS_PER_ENTRY)) {
                return false;
            }
            if (entries == high.length) {
                grow();
                index = find(valueHigh, valueLow);
            }
            high[entries] = valueHigh;
            low[entries] = valueLow;
            entries++;
            table[index] = entries;
        }
        ids[row] = table[index] - 1;
        return true;
    }

    private int find(long valueHigh, long valueLow)
    {
        int mask = table.length - 1;
        int index = hash(valueHigh, valueLow) & mask;
        while (table[index] != 0) {
            int entry = table[index] - 1;
            if (high[entry] == valueHigh && low[entry] == valueLow) {
                break;
            }
            index = (index + 1) & mask;
        }
        return index;
    }

    private static int hash(long valueHigh, long valueLow)
    {
        long hash = (valueHigh * 0x9E37_79B9_7F4A_7C15L ^ valueLow) * 0xC2B2_AE3D_27D4_EB4FL;
        return (int) (hash >>> 32);
    }

    private void grow()
    {
        high = Arrays.copyOf(high, 2 * entries);
        low = Arrays.copyOf(low, 2 * entries);
        table = new int[2 * table.length];
        for (int entry = 0; entry < entries; entry++) {
            table[find(high[entry], low[entry])] = entry + 1;
        }
    }

    int entries()
    {
        return entries;
    }

    long high(int entry)
    {
        return high[entry];
    }

    long low(int entry)
    {
        return low[entry];
    }

    /**
     * Returns the id of each row, or -1 for null. The caller may replace the ids.
     */
    int[] ids()
    {
        return ids;
    }

    /**
     * Returns whether a dictionary takes substantially fewer bytes than the values themselves.
     *
     * @param valueSize size of an entry in bytes
     * @param size size of all values in bytes
     */
    boolean isSmaller(int rows, int valueSize, long size)
    {
        int idWidth = entries <= 0xFF ? 1 : 2;
        return 4 * ((long) entries * valueSize + (long) rows * idWidth) <= 3 * size;
    }

    public long retainedSize()
    {
        return (long) Integer.BYTES * (ids.length + table.length) + (long) Long.BYTES * (high.length + low.length);
    }
}
