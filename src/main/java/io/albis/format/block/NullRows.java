package io.albis.format.block;

import io.albis.format.metadata.Run;
import io.albis.format.metadata.Segment;
import io.trino.spi.block.ValueBlock;

import java.util.Arrays;

/**
 * Which rows of a segment have a value, while they are collected.
 */
final class NullRows
{
    private final long[] valid = new long[Segment.MAX_ROWS / Long.SIZE];
    private int rows;
    private int nulls;

    void append(ValueBlock block, int offset, int count)
    {
        if (!block.mayHaveNull()) {
            for (int row = rows; row < rows + count; ) {
                if (row % Long.SIZE == 0 && rows + count - row >= Long.SIZE) {
                    valid[row / Long.SIZE] = -1;
                    row += Long.SIZE;
                }
                else {
                    valid[row / Long.SIZE] |= 1L << row;
                    row++;
                }
            }
        }
        else {
            for (int i = 0; i < count; i++) {
                int row = rows + i;
                boolean isNull = block.isNull(offset + i);
                valid[row / Long.SIZE] |= (isNull ? 0 : 1L) << row;
                nulls += isNull ? 1 : 0;
            }
        }
        rows += count;
    }

    int rows()
    {
        return rows;
    }

    int nulls()
    {
        return nulls;
    }

    boolean isNull(int row)
    {
        return ((valid[row / Long.SIZE] >>> row) & 1) == 0;
    }

    int nulls(int run)
    {
        if (nulls == 0) {
            return 0;
        }
        int runRows = Segment.runRows(rows, run);
        int word = run * Run.MAX_ROWS / Long.SIZE;
        int set = 0;
        for (int i = 0; i < runRows; i += Long.SIZE) {
            set += Long.bitCount(valid[word]);
            word++;
        }
        return runRows - set;
    }

    /**
     * Writes the words of a run that has both nulls and values.
     *
     * @return bytes written
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
