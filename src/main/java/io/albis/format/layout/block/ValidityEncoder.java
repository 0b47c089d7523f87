package io.albis.format.layout.block;

import io.albis.format.run.Run;
import io.albis.format.run.RunBytes;
import io.albis.format.run.Segment;
import io.albis.format.vector.NarrowValues;
import io.trino.spi.block.Bitmap;
import io.trino.spi.block.ValueBlock;

import java.util.Arrays;
import java.util.Optional;

/**
 * Collects which rows of a segment are not null.
 */
final class ValidityEncoder
{
    private final long[] valid = new long[Segment.MAX_ROWS / Long.SIZE];
    private int rows;
    private int nulls;

    void append(ValueBlock block, int offset, int count)
    {
        Optional<Bitmap> bitmap = block.getValidityBitmap();
        if (bitmap.isPresent()) {
            Bitmap.copyBits(bitmap.get().getRawWords(), bitmap.get().getRawBitOffset() + offset, valid, rows, count);
            nulls += count - countValid(rows, count);
        }
        else {
            Bitmap.setBits(valid, 0, rows, count);
        }
        rows += count;
    }

    private int countValid(int begin, int count)
    {
        int set = 0;
        for (int i = 0; i < count; i += Long.SIZE) {
            set += Long.bitCount(Bitmap.getBits(valid, begin, i, Math.min(Long.SIZE, count - i)));
        }
        return set;
    }

    int rows()
    {
        return rows;
    }

    int nulls()
    {
        return nulls;
    }

    int nulls(int run)
    {
        if (nulls == 0) {
            return 0;
        }
        int runRows = Segment.runRows(rows, run);
        return runRows - countValid(run * Run.MAX_ROWS, runRows);
    }

    boolean isNull(int row)
    {
        return (valid[row / Long.SIZE] >>> row & 1) == 0;
    }

    /**
     * Returns the first row of a run that is not null. There must be one.
     */
    int firstValid(int run)
    {
        int word = run * Run.MAX_ROWS / Long.SIZE;
        while (valid[word] == 0) {
            word++;
        }
        return word * Long.SIZE + Long.numberOfTrailingZeros(valid[word]);
    }

    /**
     * Writes {@code filler} to the rows of a run that are null.
     */
    void fillNulls(int run, long[] values, long filler)
    {
        int end = run * Run.MAX_ROWS + Segment.runRows(rows, run);
        for (int begin = run * Run.MAX_ROWS; begin < end; begin += Long.SIZE) {
            long missing = ~valid[begin / Long.SIZE];
            if (end - begin < Long.SIZE) {
                missing &= (1L << (end - begin)) - 1;
            }
            while (missing != 0) {
                values[begin + Long.numberOfTrailingZeros(missing)] = filler;
                missing &= missing - 1;
            }
        }
    }

    /**
     * Writes the validity words of a run that contains both nulls and values.
     *
     * @return number of bytes written
     */
    int write(int run, byte[] output)
    {
        int length = RunBytes.validityLength(Segment.runRows(rows, run));
        int word = run * Run.MAX_ROWS / Long.SIZE;
        for (int offset = 0; offset < length; offset += Long.BYTES) {
            NarrowValues.setLong(output, offset, valid[word]);
            word++;
        }
        return length;
    }

    void reset()
    {
        Arrays.fill(valid, 0, (rows + Long.SIZE - 1) / Long.SIZE, 0);
        rows = 0;
        nulls = 0;
    }

    long retainedSize()
    {
        return (long) valid.length * Long.BYTES;
    }
}
