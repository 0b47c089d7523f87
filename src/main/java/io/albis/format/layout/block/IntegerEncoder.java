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
import io.albis.format.run.RunEncoding;
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
        ChunkEncoding encoding = new Nulls();
        if (nulls.nulls() < rows) {
            RunEncoding.Fixed[] parameters = runParameters(rows);
            encoding = encoding(parameters);
            for (int run = 0; run < parameters.length && encoding.hasRuns(); run++) {
                runs.add(writeRun(parameters[run], run, output));
            }
        }
        nulls.reset();
        return new Chunk(encoding, offset, runs.build());
    }

    private RunEncoding.Fixed[] runParameters(int rows)
    {
        RunEncoding.Fixed[] parameters = new RunEncoding.Fixed[Segment.runs(rows)];
        for (int run = 0; run < parameters.length; run++) {
            int count = Segment.runRows(rows, run);
            parameters[run] = nulls.nulls(run) == count ? RunEncoding.Fixed.EMPTY : parameters(run, count);
        }
        return parameters;
    }

    private RunEncoding.Fixed parameters(int run, int count)
    {
        if (nulls.nulls(run) > 0) {
            // so that nulls affect neither the minimum nor the maximum
            nulls.fillNulls(run, values, values[nulls.firstValid(run)]);
        }
        int begin = run * Run.MAX_ROWS;
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (int row = begin; row < begin + count; row++) {
            min = Math.min(min, values[row]);
            max = Math.max(max, values[row]);
        }
        int width = NarrowValues.width(min, max);
        int slotSize = storageType.slotSize();
        // a run with one value takes no bytes even if widths are not narrow
        return width == 0 || (narrowWidths && width < slotSize) ? new RunEncoding.Fixed(width, min, 0) : new RunEncoding.Fixed(slotSize, 0, 0);
    }

    private ChunkEncoding encoding(RunEncoding.Fixed[] parameters)
    {
        for (RunEncoding.Fixed run : parameters) {
            if (nulls.nulls() > 0 || run.width() > 0 || run.base() != parameters[0].base()) {
                return new Fixed();
            }
        }
        byte[] value = new byte[Long.BYTES];
        NarrowValues.setLong(value, 0, parameters[0].base());
        return new Constant(Arrays.copyOf(value, storageType.slotSize()));
    }

    private Run writeRun(RunEncoding.Fixed parameters, int run, ChunkOutput output)
            throws IOException
    {
        int count = Segment.runRows(nulls.rows(), run);
        int runNulls = nulls.nulls(run);
        if (runNulls == count) {
            return new Run(output.write(0), runNulls, parameters);
        }
        if (runNulls > 0) {
            // The content of a block at a null position is undefined. Zeros ensure that equal rows have equal bytes.
            nulls.fillNulls(run, values, parameters.base());
        }
        int width = parameters.width();
        byte[] buffer = output.buffer(RunBytes.validityLength(count) + width * count);
        int begin = runNulls > 0 ? nulls.write(run, buffer) : 0;
        NarrowValues.narrow(values, run * Run.MAX_ROWS, count, parameters.base(), width, buffer, begin);
        return new Run(output.write(begin + width * count), runNulls, parameters);
    }

    @Override
    public long retainedSize()
    {
        return (long) values.length * Long.BYTES + nulls.retainedSize();
    }
}
