package io.albis.format.run;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.albis.format.io.FileFrame;
import io.albis.format.io.TooNewException;
import io.albis.format.run.ChunkEncoding.Bits;
import io.albis.format.run.ChunkEncoding.Bytes;
import io.albis.format.run.ChunkEncoding.Constant;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.ChunkEncoding.Fixed;
import io.albis.format.run.ChunkEncoding.Nulls;
import io.albis.format.run.ChunkEncoding.Rows;
import io.albis.format.run.StoredBytesCodec.Lengths;

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
    private static final int BITS = 6;

    private static final int SORTED = 1;

    private ChunkCodec() {}

    /**
     * Writes a chunk.
     */
    public static void write(Chunk chunk, SliceOutput output)
    {
        output.writeByte(code(chunk.encoding()));
        output.writeLong(chunk.offset());
        switch (chunk.encoding()) {
            case Rows _, Nulls _, Fixed _, Bytes _, Bits _ -> {}
            case Constant(byte[] value) -> {
                output.writeShort(value.length);
                output.writeBytes(value);
            }
            case Dictionary(int entries, boolean sorted, RunEncoding values, StoredBytes stored) -> {
                output.writeInt(entries);
                output.writeByte(sorted ? SORTED : 0);
                output.writeByte(switch (values) {
                    case RunEncoding.Fixed _ -> FIXED;
                    case RunEncoding.Bytes _ -> BYTES;
                    case RunEncoding.Plain _, RunEncoding.Ids _ -> throw new IllegalArgumentException("a dictionary cannot have the encoding " + values);
                });
                StoredBytesCodec.writeLengths(stored, output);
                writeParameters(values, output);
                StoredBytesCodec.writeChecksums(stored, output);
            }
        }
        for (Run run : chunk.runs()) {
            StoredBytesCodec.writeLengths(run.stored(), output);
            output.writeShort(run.nulls());
            writeParameters(run.encoding(), output);
            StoredBytesCodec.writeChecksums(run.stored(), output);
        }
    }

    private static int code(ChunkEncoding encoding)
    {
        return switch (encoding) {
            case Rows _ -> ROWS;
            case Nulls _ -> NULLS;
            case Constant _ -> CONSTANT;
            case Fixed _ -> FIXED;
            case Bytes _ -> BYTES;
            case Dictionary _ -> DICTIONARY;
            case Bits _ -> BITS;
        };
    }

    private static void writeParameters(RunEncoding parameters, SliceOutput output)
    {
        switch (parameters) {
            case RunEncoding.Plain _ -> {}
            case RunEncoding.Fixed(int width, long base, int outliers) -> {
                output.writeByte(width);
                output.writeLong(base);
                output.writeShort(outliers);
            }
            case RunEncoding.Bytes(int lengthWidth, int baseLength) -> {
                output.writeByte(lengthWidth);
                output.writeInt(baseLength);
            }
            case RunEncoding.Ids(int width, int base) -> {
                output.writeByte(width);
                output.writeInt(base);
            }
        }
    }

    /**
     * Reads a chunk.
     *
     * @param rows number of rows of the segment
     * @throws TooNewException if the chunk contains a code that this reader does not know
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the input does not contain a valid chunk
     */
    public static Chunk read(SliceInput input, int rows)
    {
        int code = input.readUnsignedByte();
        long offset = input.readLong();
        ChunkEncoding encoding = switch (code) {
            case ROWS -> new Rows();
            case NULLS -> new Nulls();
            case CONSTANT -> readConstant(input);
            case FIXED -> new Fixed();
            case BYTES -> new Bytes();
            case DICTIONARY -> readDictionary(input);
            case BITS -> new Bits();
            default -> throw new TooNewException("unknown encoding %s", code);
        };
        int runCount = encoding.hasRuns() ? Segment.runs(rows) : 0;
        ImmutableList.Builder<Run> runs = ImmutableList.builderWithExpectedSize(runCount);
        for (int i = 0; i < runCount; i++) {
            runs.add(readRun(encoding, input));
        }
        Chunk chunk = new Chunk(encoding, FileFrame.HEADER_SIZE, runs.build());
        // the offset of a chunk without bytes has no meaning, so a writer may have stored anything there
        return chunk.length() == 0 ? chunk : new Chunk(encoding, offset, chunk.runs());
    }

    private static Constant readConstant(SliceInput input)
    {
        byte[] value = new byte[input.readUnsignedShort()];
        input.readBytes(value);
        return new Constant(value);
    }

    private static Dictionary readDictionary(SliceInput input)
    {
        int entries = input.readInt();
        int flags = input.readUnsignedByte();
        if ((flags & ~SORTED) != 0) {
            throw new TooNewException("unknown flags %s of a dictionary", flags);
        }
        int code = input.readUnsignedByte();
        Lengths lengths = StoredBytesCodec.readLengths(input);
        RunEncoding values = switch (code) {
            case FIXED -> readFixed(input);
            case BYTES -> readBytes(input);
            default -> throw new TooNewException("unknown encoding %s of a dictionary", code);
        };
        return new Dictionary(entries, (flags & SORTED) != 0, values, StoredBytesCodec.readChecksums(lengths, input));
    }

    private static Run readRun(ChunkEncoding encoding, SliceInput input)
    {
        Lengths lengths = StoredBytesCodec.readLengths(input);
        int nulls = input.readUnsignedShort();
        RunEncoding parameters = switch (encoding) {
            case Rows _, Bits _ -> new RunEncoding.Plain();
            case Fixed _ -> readFixed(input);
            case Bytes _ -> readBytes(input);
            case Dictionary _ -> new RunEncoding.Ids(input.readUnsignedByte(), input.readInt());
            case Nulls _, Constant _ -> throw new IllegalStateException("encoding has no runs");
        };
        return new Run(StoredBytesCodec.readChecksums(lengths, input), nulls, parameters);
    }

    private static RunEncoding.Fixed readFixed(SliceInput input)
    {
        return new RunEncoding.Fixed(input.readUnsignedByte(), input.readLong(), input.readUnsignedShort());
    }

    private static RunEncoding.Bytes readBytes(SliceInput input)
    {
        return new RunEncoding.Bytes(input.readUnsignedByte(), input.readInt());
    }
}
