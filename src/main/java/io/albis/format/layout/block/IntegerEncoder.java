package io.albis.format.layout.block;

import com.google.common.collect.ImmutableList;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding;
import io.albis.format.run.ChunkEncoding.Constant;
import io.albis.format.run.ChunkEncoding.Fixed;
import io.albis.format.run.ChunkEncoding.Nulls;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.NarrowValues;
import io.albis.format.run.Run;
import io.albis.format.run.RunBytes;
import io.albis.format.run.Segment;
import io.albis.format.type.StorageType;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.ShortArrayBlock;
import io.trino.spi.block.ValueBlock;

import java.io.IOException;
import java.util.Arrays;

/**
 * Encodes values of up to 8 bytes. It treats their bits as a signed integer, whatever type they have.
 */
final class IntegerEncoder
        implements ColumnEncoder
{
    private static final int INITIAL_ROWS = 1024;

    private final StorageType storageType;
    private final boolean narrowWidths;
    private final ValidityEncoder nulls = new ValidityEncoder();
    private long[] values = new long[INITIAL_ROWS];

    IntegerEncoder(StorageType storageType, boolean narrowWidths)
    {
        this.storageType = storageType;
        this.narrowWidths = narrowWidths;
    }

    @Override
    public int rowsThatFit(ValueBlock block, int offset, int count, long limit)
    {
        return (int) Math.clamp(limit / storageType.slotSize(), 0, count);
    }

    @Override
    public void append(ValueBlock block, int offset, int count)
    {
        int rows = nulls.rows();
        if (values.length < rows + count) {
            values = Arrays.copyOf(values, Math.min(Segment.MAX_ROWS, Math.max(rows + count, 2 * values.length)));
        }
        switch (block) {
            case LongArrayBlock longs -> System.arraycopy(longs.getRawValues(), longs.getRawValuesOffset() + offset, values, rows, count);
            case IntArrayBlock ints -> {
                int[] source = ints.getRawValues();
                int begin = ints.getRawValuesOffset() + offset;
                for (int i = 0; i < count; i++) {
                    values[rows + i] = source[begin + i];
                }
            }
            case ShortArrayBlock shorts -> {
                for (int i = 0; i < count; i++) {
                    values[rows + i] = shorts.getShort(offset + i);
                }
            }
            case ByteArrayBlock bytes -> {
                for (int i = 0; i < count; i++) {
                    values[rows + i] = bytes.getByte(offset + i);
                }
            }
            default -> throw new IllegalArgumentException("Block does not contain integral values: " + block);
        }
        nulls.append(block, offset, count);
    }

    @Override
    public long size()
    {
        return (long) nulls.rows() * storageType.slotSize();
    }

    @Override
    public Chunk finish(ChunkOutput output)
            throws IOException
    {
        long offset = output.offset();
        int rows = nulls.rows();
        ImmutableList.Builder<Run> runs = ImmutableList.builder();
        ChunkEncoding encoding = encoding(rows);
        if (encoding instanceof Fixed fixed) {
            for (int run = 0; run < Segment.runs(rows); run++) {
                runs.add(writeRun(fixed, run, output));
            }
        }
        nulls.reset();
        return new Chunk(encoding, offset, runs.build());
    }

    private ChunkEncoding encoding(int rows)
    {
        if (nulls.nulls() == rows) {
            return new Nulls();
        }
        if (nulls.nulls() > 0) {
            // so that nulls affect neither the minimum nor the maximum
            nulls.fillNulls(values, values[nulls.firstValid()]);
        }
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (int row = 0; row < rows; row++) {
            min = Math.min(min, values[row]);
            max = Math.max(max, values[row]);
        }
        if (min == max && nulls.nulls() == 0) {
            byte[] value = new byte[Long.BYTES];
            NarrowValues.setLong(value, 0, min);
            return new Constant(Arrays.copyOf(value, storageType.slotSize()));
        }
        int width = NarrowValues.width(min, max);
        Fixed encoding = narrowWidths && width < storageType.slotSize() ? new Fixed(width, min) : new Fixed(storageType.slotSize(), 0);
        if (nulls.nulls() > 0) {
            // The content of a block at a null position is undefined. Zeros ensure that equal rows have equal bytes.
            nulls.fillNulls(values, encoding.base());
        }
        return encoding;
    }

    private Run writeRun(Fixed fixed, int run, ChunkOutput output)
            throws IOException
    {
        int count = Segment.runRows(nulls.rows(), run);
        int runNulls = nulls.nulls(run);
        if (runNulls == count) {
            return output.write(0, runNulls);
        }
        byte[] buffer = output.buffer(RunBytes.validityLength(count) + fixed.width() * count);
        int begin = runNulls > 0 ? nulls.write(run, buffer) : 0;
        NarrowValues.narrow(values, run * Run.MAX_ROWS, count, fixed.base(), fixed.width(), buffer, begin);
        return output.write(begin + fixed.width() * count, runNulls);
    }

    @Override
    public long retainedSize()
    {
        return (long) values.length * Long.BYTES + nulls.retainedSize();
    }
}
