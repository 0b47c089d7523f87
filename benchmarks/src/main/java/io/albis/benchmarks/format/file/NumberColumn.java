package io.albis.benchmarks.format.file;

import io.trino.spi.block.Block;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.type.Type;

import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.trino.spi.type.IntegerType.INTEGER;

/**
 * Builds blocks of numbers from values that are appended one by one. Supports integers and all types that Trino
 * represents as a long.
 */
class NumberColumn
{
    /**
     * The number of rows per page in readers that can choose it.
     */
    public static final int PAGE_ROWS = 8192;

    private final boolean wide;
    private long[] longs;
    private int[] ints;
    private long[] valid;
    private int count;
    private int nulls;

    public NumberColumn(Type type)
    {
        checkArgument(isSupported(type), "not a number: %s", type);
        this.wide = !type.equals(INTEGER);
        reset();
    }

    public static boolean isSupported(Type type)
    {
        return type.equals(INTEGER) || type.getValueBlockType() == LongArrayBlock.class;
    }

    public void append(long value)
    {
        if (wide) {
            longs[count] = value;
        }
        else {
            ints[count] = (int) value;
        }
        valid[count / Long.SIZE] |= 1L << count;
        count++;
    }

    public void appendNull()
    {
        count++;
        nulls++;
    }

    /**
     * Returns a block of all values since the previous block.
     */
    public Block build()
    {
        Optional<long[]> validity = nulls == 0 ? Optional.empty() : Optional.of(valid);
        Block block = wide ? new LongArrayBlock(count, validity, longs) : new IntArrayBlock(count, validity, ints);
        reset();
        return block;
    }

    private void reset()
    {
        if (wide) {
            longs = new long[PAGE_ROWS];
        }
        else {
            ints = new int[PAGE_ROWS];
        }
        valid = new long[PAGE_ROWS / Long.SIZE];
        count = 0;
        nulls = 0;
    }
}
