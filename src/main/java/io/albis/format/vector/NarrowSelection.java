package io.albis.format.vector;

import static io.trino.spi.block.Bitmap.wordsForBits;
import static java.util.Objects.checkFromIndexSize;

/**
 * Tests values of a run as they are stored, without widening them. The result has one bit for each row.
 */
public final class NarrowSelection
{
    private NarrowSelection() {}

    /**
     * Tests whether the distance of each value from {@code low} is at most {@code span}. Distances are unsigned, of as
     * many bytes as the values.
     *
     * @param width bytes of a value, from 1 to 8
     * @param count number of values
     * @param bits receives a bit for each value, and zeros up to the end of the last word
     * @throws IndexOutOfBoundsException if the values, or the {@link NarrowValues#SLACK} after them, exceed the array
     */
    public static void inRange(byte[] bytes, int offset, int width, long low, long span, int count, long[] bits)
    {
        inRange(Vectors.areReady(), bytes, offset, width, low, span, count, bits);
    }

    static void inRange(boolean vectors, byte[] bytes, int offset, int width, long low, long span, int count, long[] bits)
    {
        checkFromIndexSize(offset, (long) width * count + NarrowValues.SLACK, bytes.length);
        checkFromIndexSize(0, wordsForBits(count), bits.length);
        int done = vectors ? VectorSelection.inRange(bytes, offset, width, low, span, count, bits) : 0;
        inRangeEach(bytes, offset, width, low, span, done, count, bits);
    }

    private static void inRangeEach(byte[] bytes, int offset, int width, long low, long span, int begin, int count, long[] bits)
    {
        long mask = NarrowValues.mask(width);
        long unsignedSpan = span + Long.MIN_VALUE;
        for (int first = begin; first < count; first += Long.SIZE) {
            long word = 0;
            int end = Math.min(count, first + Long.SIZE);
            for (int row = first; row < end; row++) {
                long distance = (NarrowValues.get(bytes, offset, width, mask, row) - low) & mask;
                word |= (distance + Long.MIN_VALUE <= unsignedSpan ? 1L : 0) << row;
            }
            bits[first / Long.SIZE] = word;
        }
    }

    /**
     * Tests whether each value is a set bit of a bitmap.
     *
     * @param first index of the bit of the value 0; may be negative
     * @param bitmap bits; all others are 0
     * @param bits receives a bit for each value, and zeros up to the end of the last word
     */
    public static void inBitmap(byte[] bytes, int offset, int width, long first, long[] bitmap, int count, long[] bits)
    {
        checkFromIndexSize(offset, (long) width * count + NarrowValues.SLACK, bytes.length);
        checkFromIndexSize(0, wordsForBits(count), bits.length);
        // A vector loop would need an instruction that loads a word of the bitmap for each lane. With AVX2, this takes
        // as long as a load for each lane, and several times as long on CPUs that work around Downfall
        // (CVE-2022-40982). The indexes would also have to be stored into an array first, because the Vector API takes
        // them from there.
        long mask = NarrowValues.mask(width);
        for (int begin = 0; begin < count; begin += Long.SIZE) {
            long word = 0;
            int end = Math.min(count, begin + Long.SIZE);
            for (int row = begin; row < end; row++) {
                long bit = first + NarrowValues.get(bytes, offset, width, mask, row);
                // an unsigned shift maps values below the first one to indexes beyond the last word
                long index = bit >>> 6;
                word |= (index < bitmap.length ? (bitmap[(int) index] >>> bit) & 1 : 0) << row;
            }
            bits[begin / Long.SIZE] = word;
        }
    }

    /**
     * Keeps the bits of the rows whose values are not null.
     *
     * @param bytes contains the validity words of the rows
     * @param offset offset of the first validity word
     * @param count number of rows
     */
    public static void and(long[] bits, byte[] bytes, int offset, int count)
    {
        for (int word = 0; word < wordsForBits(count); word++) {
            bits[word] &= validity(bytes, offset, word);
        }
    }

    private static long validity(byte[] bytes, int offset, int word)
    {
        return NarrowValues.getLong(bytes, offset + word * Long.BYTES);
    }

    /**
     * Selects the rows of a run that are null, or those that are not. The run has both.
     *
     * @param bytes contains the validity words of the run
     * @param offset offset of the first validity word
     * @param runRows number of rows of the run
     * @param rows rows within the run, ascending; matching rows are moved to the front
     * @param count number of rows to test
     * @return the number of matching rows
     */
    public static int selectNulls(byte[] bytes, int offset, int runRows, boolean nulls, int[] rows, int count)
    {
        int size = 0;
        if (count < runRows) {
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                rows[size] = row;
                boolean valid = ((bytes[offset + row / Byte.SIZE] >> (row % Byte.SIZE)) & 1) != 0;
                size += valid == nulls ? 0 : 1;
            }
            return size;
        }
        for (int word = 0; word < wordsForBits(count); word++) {
            long bits = nulls ? ~validity(bytes, offset, word) : validity(bytes, offset, word);
            int wordRows = Math.min(Long.SIZE, count - word * Long.SIZE);
            size = append(bits & (-1L >>> (Long.SIZE - wordRows)), word * Long.SIZE, rows, size);
        }
        return size;
    }

    /**
     * Lists the rows whose bits are set.
     *
     * @param rows receives the rows, ascending
     * @return the number of rows
     */
    public static int toRows(long[] bits, int count, int[] rows)
    {
        int size = 0;
        for (int word = 0; word < wordsForBits(count); word++) {
            size = append(bits[word], word * Long.SIZE, rows, size);
        }
        return size;
    }

    private static int append(long word, int first, int[] rows, int size)
    {
        int end = size + Long.bitCount(word);
        if (word == -1) {
            for (int i = 0; i < Long.SIZE; i++) {
                rows[size + i] = first + i;
            }
            return end;
        }
        for (int i = size; i < end; i++) {
            rows[i] = first + Long.numberOfTrailingZeros(word);
            word &= word - 1;
        }
        return end;
    }
}
