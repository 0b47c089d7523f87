package io.albis.format.layout.block;

import com.google.common.collect.ImmutableList;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding.Constant;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.ChunkEncoding.Fixed;
import io.albis.format.run.ChunkEncoding.Nulls;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.Run;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunEncoding;
import io.albis.format.run.Segment;
import io.albis.format.type.StorageType;
import io.albis.format.vector.NarrowValues;
import io.trino.spi.block.Fixed12Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.Arrays;

/**
 * Encodes values of 12 or 16 bytes, which are stored as they are.
 */
final class WideEncoder
        implements ColumnEncoder
{
    private static final int INITIAL_ROWS = 512;

    private final int width;
    private final ValidityEncoder nulls = new ValidityEncoder();
    private final FixedDictionaryBuilder dictionaryBuilder;
    // null if the column has no dictionaries
    @Nullable
    private final FixedDictionaryEncoder dictionary;
    private byte[] values;

    WideEncoder(Type type, boolean dictionaries, FixedDictionaryBuilder dictionaryBuilder)
    {
        this.dictionaryBuilder = dictionaryBuilder;
        this.width = StorageType.of(type).slotSize();
        this.dictionary = dictionaries ? new FixedDictionaryEncoder(type, dictionaryBuilder) : null;
        this.values = new byte[INITIAL_ROWS * width];
    }

    @Override
    public int rowsThatFit(ValueBlock block, int offset, int count, long limit)
    {
        return (int) Math.clamp(limit / width, 0, count);
    }

    @Override
    public void append(ValueBlock block, int offset, int count)
    {
        int size = (nulls.rows() + count) * width;
        if (values.length < size) {
            values = Arrays.copyOf(values, Math.min(Segment.MAX_ROWS * width, Math.max(size, 2 * values.length)));
        }
        int output = nulls.rows() * width;
        boolean nullable = block.mayHaveNull();
        for (int position = offset; position < offset + count; position++) {
            if (nullable && block.isNull(position)) {
                Arrays.fill(values, output, output + width, (byte) 0);
            }
            else {
                write(block, position, output);
            }
            output += width;
        }
        nulls.append(block, offset, count);
    }

    private void write(ValueBlock block, int position, int output)
    {
        switch (block) {
            case Fixed12Block fixed -> {
                NarrowValues.setLong(values, output, fixed.getFixed12First(position));
                NarrowValues.setInt(values, output + Long.BYTES, fixed.getFixed12Second(position));
            }
            case Int128ArrayBlock longs -> {
                NarrowValues.setLong(values, output, longs.getInt128High(position));
                NarrowValues.setLong(values, output + Long.BYTES, longs.getInt128Low(position));
            }
            default -> throw new IllegalArgumentException("Block does not contain values of %s bytes: %s".formatted(width, block));
        }
    }

    @Override
    public long size()
    {
        return (long) nulls.rows() * width;
    }

    @Override
    public Chunk finish(ChunkOutput output)
            throws IOException
    {
        Chunk chunk = write(output);
        nulls.reset();
        return chunk;
    }

    private Chunk write(ChunkOutput output)
            throws IOException
    {
        long offset = output.offset();
        if (nulls.nulls() == nulls.rows()) {
            return new Chunk(new Nulls(), offset, ImmutableList.of());
        }
        int size = nulls.rows() * width;
        // all values are equal if the array equals itself shifted by one value
        if (nulls.nulls() == 0 && Arrays.equals(values, 0, size - width, values, width, size)) {
            return new Chunk(new Constant(Arrays.copyOf(values, width)), offset, ImmutableList.of());
        }
        if (dictionary != null && buildsDictionary(size)) {
            return dictionary.write(nulls, output);
        }
        ImmutableList.Builder<Run> runs = ImmutableList.builder();
        for (int run = 0; run < Segment.runs(nulls.rows()); run++) {
            runs.add(writeRun(run, output));
        }
        return new Chunk(new Fixed(), offset, runs.build());
    }

    /**
     * Builds a dictionary.
     *
     * @param size size of the values without a dictionary
     * @return whether the dictionary is worthwhile
     */
    private boolean buildsDictionary(int size)
    {
        dictionaryBuilder.start(Dictionary.MAX_ENTRIES - 1);
        for (int row = 0; row < nulls.rows(); row++) {
            if (nulls.nulls() > 0 && nulls.isNull(row)) {
                dictionaryBuilder.addNull(row);
                continue;
            }
            int value = row * width;
            long low = width == 2 * Long.BYTES ? NarrowValues.getLong(values, value + Long.BYTES) : NarrowValues.getInt(values, value + Long.BYTES);
            if (!dictionaryBuilder.add(row, NarrowValues.getLong(values, value), low)) {
                return false;
            }
        }
        return dictionaryBuilder.isSmaller(nulls.rows(), width, size);
    }

    private Run writeRun(int run, ChunkOutput output)
            throws IOException
    {
        int count = Segment.runRows(nulls.rows(), run);
        int runNulls = nulls.nulls(run);
        if (runNulls == count) {
            return new Run(output.write(0), runNulls, RunEncoding.Fixed.EMPTY);
        }
        byte[] buffer = output.buffer(RunBytes.validityLength(count) + width * count);
        int begin = runNulls > 0 ? nulls.write(run, buffer) : 0;
        System.arraycopy(values, run * Run.MAX_ROWS * width, buffer, begin, width * count);
        return new Run(output.write(begin + width * count), runNulls, new RunEncoding.Fixed(width, 0, 0));
    }

    @Override
    public long retainedSize()
    {
        return values.length + nulls.retainedSize();
    }
}
