package io.albis.format.layout.block;

import io.albis.format.run.RunBytes;
import io.albis.format.run.RunEncoding.Fixed;
import io.albis.format.type.StorageType;
import io.albis.format.vector.NarrowSelection;
import io.albis.format.vector.NarrowValues;
import io.albis.format.vector.Vectors;

import static io.trino.spi.block.Bitmap.wordsForBits;

/**
 * The values of a run as integers, which filters compare in their encoded form.
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
    // sign extension for values of the full width
    private final int signShift;

    /**
     * Creates a view of the values of a run, which are not copied.
     *
     * @throws IllegalArgumentException if the length of the run does not match its values
     */
    public IntegerRun(RunBytes run, StorageType storageType)
    {
        FixedDecoder.check(run, storageType);
        Fixed encoding = (Fixed) run.encoding();
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

    /**
     * Returns whether the value of a row is not null.
     */
    public boolean isValid(int row)
    {
        return run.isValid(row);
    }

    /**
     * Decodes the values of some rows. The output for a null is undefined.
     *
     * @param rows rows within the run, in ascending order
     * @param count number of rows
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
     * Returns whether values are unsigned offsets from the base, which {@link #selectRange} and {@link #selectBits}
     * require.
     */
    public boolean isNarrow()
    {
        return narrow;
    }

    /**
     * Selects the rows whose values are between {@code min} and {@code max}, without decoding the values.
     *
     * @param rows rows within the run, in ascending order; matching rows are moved to the front
     * @param count number of rows to test
     * @return number of matching rows
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
        if (min > max) {
            return 0;
        }
        long span = max - base - low;
        span = Long.compareUnsigned(span, mask - low) > 0 ? mask - low : span;
        if (count == run.rows() && Vectors.areReady()) {
            long[] bits = new long[wordsForBits(count)];
            NarrowSelection.inRange(bytes, offset, width, low, span, count, bits);
            return toValidRows(bits, rows);
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
     * Selects the rows whose values are set in a bitmap, without decoding the values.
     *
     * @param min value of the first bit
     * @param words bitmap with one bit for each value starting at {@code min}
     * @param rows rows within the run, in ascending order; matching rows are moved to the front
     * @param count number of rows to test
     * @return number of matching rows
     */
    public int selectBits(long min, long[] words, int[] rows, int count)
    {
        if (run.nulls() == run.rows()) {
            return 0;
        }
        long first = base - min;
        if (count == run.rows()) {
            long[] bits = new long[wordsForBits(count)];
            NarrowSelection.inBitmap(bytes, offset, width, first, words, count, bits);
            return toValidRows(bits, rows);
        }
        int size = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            long bit = first + NarrowValues.get(bytes, offset, width, mask, row);
            // an unsigned shift maps values below the first one to indexes beyond the last word
            long word = bit >>> 6;
            rows[size] = row;
            size += word < words.length ? (int) (words[(int) word] >>> bit) & 1 : 0;
        }
        return run.nulls() == 0 ? size : selectValid(rows, size);
    }

    private int toValidRows(long[] bits, int[] rows)
    {
        if (run.nulls() > 0) {
            NarrowSelection.and(bits, run.bytes(), run.offset(), run.rows());
        }
        return NarrowSelection.toRows(bits, run.rows(), rows);
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
