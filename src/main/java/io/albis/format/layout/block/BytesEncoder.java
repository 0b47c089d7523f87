package io.albis.format.layout.block;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding.Bytes;
import io.albis.format.run.ChunkEncoding.Constant;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.ChunkEncoding.Nulls;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.RowTooLargeException;
import io.albis.format.run.Run;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunEncoding;
import io.albis.format.run.Segment;
import io.albis.format.type.OrderKeys;
import io.albis.format.vector.NarrowValues;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.Arrays;

/**
 * Encodes values of a variable width. It keeps all values, and builds a dictionary of them for as long as a dictionary
 * appears worthwhile.
 */
final class BytesEncoder
        implements ColumnEncoder
{
    private static final int INITIAL_ROWS = 1024;
    private static final int INITIAL_BYTES = 1 << 14;
    private static final int MAX_KEPT_BYTES = 1 << 22;

    private final OrderKeys orderKeys;
    private final boolean dictionaries;
    private final ValidityEncoder nulls = new ValidityEncoder();
    // offset of each value, followed by the end of the last value
    private int[] offsets = new int[INITIAL_ROWS + 1];
    private byte[] bytes = new byte[INITIAL_BYTES];
    private final DictionaryBuilder dictionary = new DictionaryBuilder();

    BytesEncoder(Type type, boolean dictionaries)
    {
        this.dictionaries = dictionaries;
        this.orderKeys = OrderKeys.of(type);
    }

    @Override
    public int rowsThatFit(ValueBlock block, int offset, int count, long limit)
    {
        VariableWidthBlock values = (VariableWidthBlock) block;
        long left = limit;
        for (int i = 0; i < count; i++) {
            left -= Integer.BYTES + length(values, offset + i);
            if (left < 0) {
                return i;
            }
        }
        return count;
    }

    private static int length(VariableWidthBlock values, int position)
    {
        int length = values.isNull(position) ? 0 : values.getSliceLength(position);
        if (length > RowTooLargeException.MAX_SIZE) {
            throw new RowTooLargeException(length);
        }
        return length;
    }

    @Override
    public void append(ValueBlock block, int offset, int count)
    {
        VariableWidthBlock values = (VariableWidthBlock) block;
        int rows = nulls.rows();
        if (rows == 0) {
            dictionary.reset(dictionaries);
        }
        if (offsets.length < rows + count + 1) {
            offsets = Arrays.copyOf(offsets, Math.min(Segment.MAX_ROWS, Math.max(rows + count, 2 * offsets.length)) + 1);
        }
        Slice slice = values.getRawSlice();
        boolean nullable = values.mayHaveNull();
        for (int i = 0; i < count; i++) {
            int position = offset + i;
            int end = offsets[rows + i];
            if (nullable && values.isNull(position)) {
                offsets[rows + i + 1] = end;
                dictionary.addNull(rows + i);
                continue;
            }
            int length = values.getSliceLength(position);
            ensureCapacity((long) end + length);
            slice.getBytes(values.getRawSliceOffset(position), bytes, end, length);
            offsets[rows + i + 1] = end + length;
            dictionary.add(bytes, end, length, rows + i);
        }
        nulls.append(block, offset, count);
    }

    private void ensureCapacity(long size)
    {
        if (bytes.length < size) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Math.max(size, 2L * bytes.length), Integer.MAX_VALUE - Long.BYTES));
        }
    }

    @Override
    public long size()
    {
        int rows = nulls.rows();
        return offsets[rows] + (long) rows * Integer.BYTES;
    }

    @Override
    public Chunk finish(ChunkOutput output)
            throws IOException
    {
        Chunk chunk = write(output);
        nulls.reset();
        // releases a buffer that grew for values larger than a segment, so that it does not take memory for all later
        // segments
        if (bytes.length > MAX_KEPT_BYTES) {
            bytes = new byte[INITIAL_BYTES];
        }
        return chunk;
    }

    private Chunk write(ChunkOutput output)
            throws IOException
    {
        long offset = output.offset();
        int rows = nulls.rows();
        if (nulls.nulls() == rows) {
            return new Chunk(new Nulls(), offset, ImmutableList.of());
        }
        if (nulls.nulls() == 0 && dictionary.isBuilt() && dictionary.entries() == 1 && offsets[1] <= Constant.MAX_LENGTH) {
            return new Chunk(new Constant(Arrays.copyOf(bytes, offsets[1])), offset, ImmutableList.of());
        }
        ImmutableList.Builder<Run> runs = ImmutableList.builder();
        if (dictionary.isBuilt() && dictionary.isSmaller(rows, offsets[rows])) {
            Dictionary encoding = dictionary.write(bytes, orderKeys, rows, output);
            for (int run = 0; run < Segment.runs(rows); run++) {
                runs.add(dictionary.writeRun(run, rows, nulls.nulls(run), output));
            }
            return new Chunk(encoding, offset, runs.build());
        }
        for (int run = 0; run < Segment.runs(rows); run++) {
            runs.add(writeRun(run, output));
        }
        return new Chunk(new Bytes(), offset, runs.build());
    }

    private Run writeRun(int run, ChunkOutput output)
            throws IOException
    {
        int first = run * Run.MAX_ROWS;
        int count = Segment.runRows(nulls.rows(), run);
        int runNulls = nulls.nulls(run);
        if (runNulls == count) {
            return new Run(output.write(0), runNulls, RunEncoding.Bytes.EMPTY);
        }
        RunEncoding.Bytes encoding = lengths(offsets, first, count);
        int validity = runNulls > 0 ? RunBytes.validityLength(count) : 0;
        int header = validity + valuesOffset(encoding, count);
        int size = offsets[first + count] - offsets[first];
        byte[] buffer = output.buffer(Math.addExact(header, size));
        if (runNulls > 0) {
            nulls.write(run, buffer);
        }
        writeLengths(encoding, offsets, first, count, buffer, validity);
        System.arraycopy(bytes, offsets[first], buffer, header, size);
        return new Run(output.write(header + size), runNulls, encoding);
    }

    /**
     * Chooses how the lengths of values are stored. The length of a null is 0.
     */
    static RunEncoding.Bytes lengths(int[] offsets, int first, int count)
    {
        int min = Integer.MAX_VALUE;
        int max = 0;
        for (int row = first; row < first + count; row++) {
            int length = offsets[row + 1] - offsets[row];
            min = Math.min(min, length);
            max = Math.max(max, length);
        }
        int width = NarrowValues.width(min, max);
        return width > Short.BYTES ? new RunEncoding.Bytes(Integer.BYTES, 0) : new RunEncoding.Bytes(width, min);
    }

    /**
     * Returns the offset of the first value relative to the first length.
     */
    static int valuesOffset(RunEncoding.Bytes encoding, int count)
    {
        return encoding.lengthWidth() * count + encoding.anchorsLength(count);
    }

    /**
     * Writes the lengths and the anchors.
     */
    static void writeLengths(RunEncoding.Bytes encoding, int[] offsets, int first, int count, byte[] output, int outputOffset)
    {
        int width = encoding.lengthWidth();
        if (width == 0) {
            return;
        }
        for (int i = 0; i < count; i++) {
            int length = offsets[first + i + 1] - offsets[first + i];
            // each write also overwrites the excess bytes of the previous length
            NarrowValues.setInt(output, outputOffset + width * i, length - encoding.baseLength());
        }
        int anchor = outputOffset + width * count;
        for (int i = RunEncoding.Bytes.ANCHOR_ROWS; i < count; i += RunEncoding.Bytes.ANCHOR_ROWS) {
            NarrowValues.setInt(output, anchor, offsets[first + i] - offsets[first]);
            anchor += Integer.BYTES;
        }
    }

    @Override
    public long retainedSize()
    {
        return bytes.length + (long) offsets.length * Integer.BYTES + nulls.retainedSize() + dictionary.retainedSize();
    }
}
