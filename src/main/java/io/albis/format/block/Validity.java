package io.albis.format.block;

import jakarta.annotation.Nullable;

import java.util.Optional;

import static io.trino.spi.block.Bitmap.wordsForBits;

/**
 * Puts the words of validity of a block together from those of runs.
 */
final class Validity
{
    private final int count;
    // there is a word for each 64 positions as soon as there is a null
    @Nullable
    private long[] words;
    private int filled;

    Validity(int count)
    {
        this.count = count;
    }

    /**
     * All rows of a run.
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
        if (filled % Long.SIZE == 0) {
            for (int word = 0; word < run.validityLength() / Long.BYTES; word++) {
                output[filled / Long.SIZE + word] = NarrowValues.getLong(run.bytes(), run.offset() + word * Long.BYTES);
            }
            filled += run.rows();
            return;
        }
        for (int row = 0; row < run.rows(); row++) {
            append(output, run.isValid(row));
        }
    }

    /**
     * Some rows of a run.
     */
    void append(RunBytes run, int[] rows, int begin, int end)
    {
        if (run.nulls() == 0) {
            appendValid(end - begin);
            return;
        }
        long[] output = words();
        for (int i = begin; i < end; i++) {
            append(output, run.isValid(SegmentRows.inRun(rows[i])));
        }
    }

    private void append(long[] output, boolean valid)
    {
        output[filled / Long.SIZE] |= (valid ? 1L : 0) << filled;
        filled++;
    }

    private void appendValid(int size)
    {
        if (words != null) {
            setBits(words, filled, filled + size);
        }
        filled += size;
    }

    private long[] words()
    {
        if (words == null) {
            words = new long[wordsForBits(count)];
            setBits(words, 0, filled);
        }
        return words;
    }

    private static void setBits(long[] words, int begin, int end)
    {
        for (int bit = begin; bit < end; ) {
            if (bit % Long.SIZE == 0 && end - bit >= Long.SIZE) {
                words[bit / Long.SIZE] = -1;
                bit += Long.SIZE;
            }
            else {
                words[bit / Long.SIZE] |= 1L << bit;
                bit++;
            }
        }
    }

    /**
     * Empty if all positions have a value.
     */
    Optional<long[]> build()
    {
        return Optional.ofNullable(words);
    }
}
