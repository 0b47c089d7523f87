package io.albis.format.layout.block;

import io.albis.format.run.ChunkEncoding.Fixed;
import io.albis.format.run.NarrowValues;
import io.albis.format.run.RunBytes;
import io.albis.format.type.StorageType;

/**
 * The values of a run as integers, to be filtered as they stand on storage.
 */
public final class IntegerRun
{
    private final RunBytes run;
    private final byte[] bytes;
    private final int offset;
    private final int width;
    private final long base;
    private final long mask;
    private final boolean narrow;
    // for values that are as wide as in memory, and so have a sign
    private final int signShift;

    /**
     * @throws IllegalArgumentException if the run is not as long as its values
     */
    public IntegerRun(RunBytes run, Fixed encoding, StorageType storageType)
    {
        FixedDecoder.check(run, encoding, storageType);
        this.run = run;
        this.bytes = run.bytes();
        this.offset = run.offset() + run.validityLength();
        this.width = encoding.width();
        this.base = encoding.base();
        this.mask = NarrowValues.mask(width);
        this.narrow = width < storageType.slotSize();
        this.signShift = narrow ? 0 : Long.SIZE - width * Byte.SIZE;
    }

    public boolean hasNulls()
    {
        return run.nulls() > 0;
    }

    public boolean isValid(int row)
    {
        return run.isValid(row);
    }

    /**
     * Values at some rows; what it writes for a null means nothing.
     *
     * @param rows within the run, ascending
     */
    public void read(int[] rows, int count, long[] output)
    {
        if (run.nulls() == run.rows()) {
            return;
        }
        if (count == run.rows() && signShift == 0) {
            NarrowValues.widen(bytes, offset, width, base, count, output, 0);
            return;
        }
        for (int i = 0; i < count; i++) {
            output[i] = base + ((NarrowValues.get(bytes, offset, width, mask, rows[i]) << signShift) >> signShift);
        }
    }

    /**
     * Whether values are unsigned differences, so that {@link #selectRange} can be asked.
     */
    public boolean isNarrow()
    {
        return narrow;
    }

    /**
     * Keeps the rows whose values are between {@code min} and {@code max}, without widening them.
     *
     * @param rows ascending; those that match are moved to its front
     * @return how many match
     */
    public int selectRange(long min, long max, int[] rows, int count)
    {
        if (run.nulls() == run.rows() || max < base) {
            return 0;
        }
        long low = min <= base ? 0 : min - base;
        if (Long.compareUnsigned(low, mask) > 0) {
            return 0;
        }
        long span = max - base - low;
        if (min > max) {
            return 0;
        }
        long unsignedSpan = span + Long.MIN_VALUE;
        int size = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            long distance = NarrowValues.get(bytes, offset, width, mask, row) - low;
            rows[size] = row;
            size += distance + Long.MIN_VALUE <= unsignedSpan ? 1 : 0;
        }
        return run.nulls() == 0 ? size : selectValid(rows, size);
    }

    /**
     * Keeps the rows whose values have a bit, without widening them.
     *
     * @param min value of the first bit
     * @param words a bit for each value from {@code min} on
     * @param rows ascending; those that match are moved to its front
     * @return how many match
     */
    public int selectBits(long min, long[] words, int[] rows, int count)
    {
        if (run.nulls() == run.rows()) {
            return 0;
        }
        long first = base - min;
        int size = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            long bit = first + NarrowValues.get(bytes, offset, width, mask, row);
            // as an unsigned number, what is below the first value is far behind the last one
            long word = bit >>> 6;
            rows[size] = row;
            size += word < words.length ? (int) (words[(int) word] >>> bit) & 1 : 0;
        }
        return run.nulls() == 0 ? size : selectValid(rows, size);
    }

    private int selectValid(int[] rows, int count)
    {
        int size = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            rows[size] = row;
            size += run.isValid(row) ? 1 : 0;
        }
        return size;
    }
}
