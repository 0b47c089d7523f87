package io.albis.format.run;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.albis.format.run.ChunkEncoding.Bytes;
import io.albis.format.run.ChunkEncoding.Constant;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.ChunkEncoding.Fixed;
import io.albis.format.run.ChunkEncoding.Nulls;
import io.albis.format.run.ChunkEncoding.Rows;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Encodes and decodes chunks in a metadata file; see {@code docs/format.md}.
 */
public final class ChunkCodec
{
    private static final int ROWS = 0;
    private static final int NULLS = 1;
    private static final int CONSTANT = 2;
    private static final int FIXED = 3;
    private static final int BYTES = 4;
    private static final int DICTIONARY = 5;

    private ChunkCodec() {}

    /**
     * Writes a chunk.
     */
    public static void write(Chunk chunk, SliceOutput output)
    {
        switch (chunk.encoding()) {
            case Rows _ -> output.writeByte(ROWS);
            case Nulls _ -> output.writeByte(NULLS);
            case Constant(byte[] value) -> {
                output.writeByte(CONSTANT);
                output.writeShort(value.length);
                output.writeBytes(value);
            }
            case Fixed(int width, long base) -> {
                output.writeByte(FIXED);
                output.writeByte(width);
                output.writeLong(base);
            }
            case Bytes bytes -> {
                output.writeByte(BYTES);
                writeBytes(bytes, output);
            }
            case Dictionary(int idWidth, int entries, Bytes values, int length, int checksum) -> {
                output.writeByte(DICTIONARY);
                output.writeByte(idWidth);
                output.writeInt(entries);
                writeBytes(values, output);
                output.writeInt(length);
                output.writeInt(checksum);
            }
        }
        output.writeLong(chunk.offset());
        for (Run run : chunk.runs()) {
            output.writeInt(run.length());
            output.writeInt(run.checksum());
            output.writeShort(run.nulls());
        }
    }

    private static void writeBytes(Bytes bytes, SliceOutput output)
    {
        output.writeByte(bytes.lengthWidth());
        output.writeInt(bytes.baseLength());
    }

    /**
     * Reads a chunk.
     *
     * @param rows number of rows of the segment
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the input does not contain a valid chunk
     */
    public static Chunk read(SliceInput input, int rows)
    {
        int kind = input.readUnsignedByte();
        ChunkEncoding encoding = switch (kind) {
            case ROWS -> new Rows();
            case NULLS -> new Nulls();
            case CONSTANT -> {
                byte[] value = new byte[input.readUnsignedShort()];
                input.readBytes(value);
                yield new Constant(value);
            }
            case FIXED -> new Fixed(input.readUnsignedByte(), input.readLong());
            case BYTES -> readBytes(input);
            case DICTIONARY -> new Dictionary(input.readUnsignedByte(), input.readInt(), readBytes(input), input.readInt(), input.readInt());
            default -> throw new IllegalArgumentException("unknown encoding %s".formatted(kind));
        };
        long offset = input.readLong();
        int runCount = Chunk.hasRuns(encoding) ? Segment.runs(rows) : 0;
        ImmutableList.Builder<Run> runs = ImmutableList.builderWithExpectedSize(runCount);
        for (int i = 0; i < runCount; i++) {
            Run run = new Run(input.readInt(), input.readInt(), input.readUnsignedShort());
            checkArgument(run.nulls() <= Segment.runRows(rows, i), "run %s with %s rows has %s nulls", i, Segment.runRows(rows, i), run.nulls());
            runs.add(run);
        }
        return new Chunk(encoding, offset, runs.build());
    }

    private static Bytes readBytes(SliceInput input)
    {
        return new Bytes(input.readUnsignedByte(), input.readInt());
    }
}
