package io.albis.format.layout.block;

import io.albis.format.run.RowRanges;
import io.albis.format.run.RunBytes;
import io.albis.format.run.SegmentRows;
import io.albis.format.vector.NarrowValues;
import io.trino.spi.block.Bitmap;
import jakarta.annotation.Nullable;

import java.util.Optional;

import static io.trino.spi.block.Bitmap.wordsForBits;

/**
 * Assembles the validity words of a block from those of runs.
 */
final class ValidityDecoder
{
    // A word that begins at a byte has at least so many bits from any bit of this byte on.
    private static final int BITS_OF_ANY_ROW = Long.SIZE - Byte.SIZE;

    private final int count;
    // null until the first null; then one word for every 64 positions
    @Nullable
    private long[] words;
    private int filled;

    ValidityDecoder(int count)
    {
        this.count = count;
    }

    /**
     * Appends all rows of a run.
     */
    void append(RunBytes run)
    {
        if (run.nulls() == 0) {
            appendValid(run.rows());
            return;
        }
        long[] output = words();
        if (!run.hasValidity()) {
            filled += run.rows();
            return;
        }
        for (int row = 0; row < run.rows(); row += Long.SIZE) {
            long bits = NarrowValues.getLong(run.bytes(), run.offset() + row / Byte.SIZE);
            Bitmap.orPackedBits(output, 0, filled + row, bits, Math.min(Long.SIZE, run.rows() - row));
        }
        filled += run.rows();
    }

    /**
     * Appends some rows of a run.
     *
     * @param rows rows within the segment, of which those from {@code begin} to {@code end} (exclusive) are appended
     */
    void append(RunBytes run, int[] rows, int begin, int end)
    {
        if (run.nulls() == 0) {
            appendValid(end - begin);
            return;
        }
        long[] output = words();
        if (!run.hasValidity()) {
            filled += end - begin;
            return;
        }
        byte[] bytes = run.bytes();
        int offset = run.offset();
        long word = output[filled / Long.SIZE];
        for (int i = begin; i < end; i++) {
            int row = SegmentRows.inRun(rows[i]);
            word |= ((bytes[offset + row / Byte.SIZE] >> (row % Byte.SIZE)) & 1L) << filled;
            filled++;
            if (filled % Long.SIZE == 0) {
                output[filled / Long.SIZE - 1] = word;
                word = 0;
            }
        }
        if (filled % Long.SIZE != 0) {
            output[filled / Long.SIZE] = word;
        }
    }

    /**
     * Appends ranges of rows of a run.
     */
    void append(RunBytes run, RowRanges ranges)
    {
        if (run.nulls() == 0) {
            appendValid(ranges.rows());
            return;
        }
        long[] output = words();
        if (!run.hasValidity()) {
            filled += ranges.rows();
            return;
        }
        for (int range = 0; range < ranges.size(); range++) {
            int end = ranges.end(range);
            for (int row = ranges.begin(range); row < end; row += BITS_OF_ANY_ROW) {
                long bits = NarrowValues.getLong(run.bytes(), run.offset() + row / Byte.SIZE) >>> (row % Byte.SIZE);
                int count = Math.min(BITS_OF_ANY_ROW, end - row);
                Bitmap.orPackedBits(output, 0, filled, bits, count);
                filled += count;
            }
        }
    }

    private void appendValid(int size)
    {
        if (words != null) {
            Bitmap.setBits(words, 0, filled, size);
        }
        filled += size;
    }

    private long[] words()
    {
        if (words == null) {
            words = new long[wordsForBits(count)];
            Bitmap.setBits(words, 0, 0, filled);
        }
        return words;
    }

    /**
     * Returns the validity words, or empty if no position is null.
     */
    Optional<long[]> build()
    {
        return Optional.ofNullable(words);
    }
}
