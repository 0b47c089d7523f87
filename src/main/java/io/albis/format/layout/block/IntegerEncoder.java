package io.albis.format.layout.block;

import com.google.common.collect.ImmutableList;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding.Constant;
import io.albis.format.run.ChunkEncoding.Fixed;
import io.albis.format.run.ChunkEncoding.Nulls;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.Run;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunEncoding;
import io.albis.format.run.Segment;
import io.albis.format.type.StorageType;
import io.albis.format.vector.NarrowValues;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.ShortArrayBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.Arrays;

/**
 * Encodes values of up to 8 bytes. It treats their bits as a signed integer, whatever type they have.
 */
final class IntegerEncoder
        implements ColumnEncoder
{
    private static final int INITIAL_ROWS = 1024;

    // leaves room for the id of null in one byte
    private static final int MAX_ENTRIES = 0xFF;

    private final StorageType storageType;
    private final BlockEncoding encoding;
    private final RunPlanner planner;
    private final ValidityEncoder nulls = new ValidityEncoder();
    private long[] values = new long[INITIAL_ROWS];
    private final FixedDictionaryBuilder dictionaryBuilder;
    // null if the column has no dictionaries
    @Nullable
    private final FixedDictionaryEncoder dictionary;

    IntegerEncoder(Type type, BlockEncoding encoding, FixedDictionaryBuilder dictionaryBuilder)
    {
        this.dictionaryBuilder = dictionaryBuilder;
        this.storageType = StorageType.of(type);
        this.encoding = encoding;
        this.planner = new RunPlanner(storageType.slotSize(), encoding.narrowWidths(), encoding.outliers());
        this.dictionary = encoding.dictionaries() && storageType.slotSize() >= Integer.BYTES ? new FixedDictionaryEncoder(type, dictionaryBuilder) : null;
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
        RunEncoding.Fixed[] plans = planRuns();
        if (isConstant(plans)) {
            byte[] value = new byte[Long.BYTES];
            NarrowValues.setLong(value, 0, plans[0].base());
            return new Chunk(new Constant(Arrays.copyOf(value, storageType.slotSize())), offset, ImmutableList.of());
        }
        long size = size(plans);
        if (encoding.bits() && storageType == StorageType.BYTE && BitsEncoder.size(nulls.rows()) < size && BitsEncoder.areBits(values, nulls)) {
            return BitsEncoder.write(values, nulls, output);
        }
        if (dictionary != null && buildsDictionary(size)) {
            return dictionary.write(nulls, output);
        }
        ImmutableList.Builder<Run> runs = ImmutableList.builder();
        for (int run = 0; run < plans.length; run++) {
            runs.add(writeRun(plans[run], run, output));
        }
        return new Chunk(new Fixed(), offset, runs.build());
    }

    private RunEncoding.Fixed[] planRuns()
    {
        int rows = nulls.rows();
        RunEncoding.Fixed[] plans = new RunEncoding.Fixed[Segment.runs(rows)];
        for (int run = 0; run < plans.length; run++) {
            int count = Segment.runRows(rows, run);
            int runNulls = nulls.nulls(run);
            plans[run] = runNulls == count ? RunEncoding.Fixed.EMPTY : planner.plan(values, run * Run.MAX_ROWS, count, runNulls == 0 ? null : nulls);
        }
        return plans;
    }

    private boolean isConstant(RunEncoding.Fixed[] plans)
    {
        for (RunEncoding.Fixed plan : plans) {
            if (nulls.nulls() > 0 || plan.width() > 0 || plan.outliers() > 0 || plan.base() != plans[0].base()) {
                return false;
            }
        }
        return true;
    }

    private long size(RunEncoding.Fixed[] plans)
    {
        long size = 0;
        for (int run = 0; run < plans.length; run++) {
            size += planner.size(plans[run], Segment.runRows(nulls.rows(), run));
        }
        return size;
    }

    /**
     * Builds a dictionary of few entries, whose ids take one byte. With wider ids, the integers that the reader creates
     * would save little memory.
     *
     * @param size size of the values without a dictionary
     * @return whether the dictionary is worthwhile
     */
    private boolean buildsDictionary(long size)
    {
        int rows = nulls.rows();
        if (3 * size <= 4L * rows) {
            return false;
        }
        dictionaryBuilder.start(MAX_ENTRIES);
        for (int row = 0; row < rows; row++) {
            if (nulls.nulls() > 0 && nulls.isNull(row)) {
                dictionaryBuilder.addNull(row);
            }
            else if (!dictionaryBuilder.add(row, values[row], 0)) {
                return false;
            }
        }
        return dictionaryBuilder.isSmaller(rows, storageType.slotSize(), size);
    }

    private Run writeRun(RunEncoding.Fixed plan, int run, ChunkOutput output)
            throws IOException
    {
        int count = Segment.runRows(nulls.rows(), run);
        int runNulls = nulls.nulls(run);
        if (runNulls == count) {
            return new Run(output.write(0), runNulls, plan);
        }
        if (runNulls > 0) {
            // The content of a block at a null position is undefined. Zeros ensure that equal rows have equal bytes.
            nulls.fillNulls(run, values, plan.base());
        }
        int width = plan.width();
        int validity = runNulls > 0 ? RunBytes.validityLength(count) : 0;
        int outliers = validity + width * count;
        int length = outliers + Outliers.length(plan.outliers(), storageType);
        byte[] buffer = output.buffer(length);
        if (runNulls > 0) {
            nulls.write(run, buffer);
        }
        // writes beyond the values, which the outliers overwrite
        NarrowValues.narrow(values, run * Run.MAX_ROWS, count, plan.base(), width, buffer, validity);
        if (plan.outliers() > 0) {
            Outliers.write(values, run * Run.MAX_ROWS, count, plan, storageType, buffer, validity);
        }
        return new Run(output.write(length), runNulls, plan);
    }

    @Override
    public long retainedSize()
    {
        return (long) values.length * Long.BYTES + nulls.retainedSize();
    }
}
