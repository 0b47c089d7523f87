package io.albis.format.index;

import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.albis.format.io.PageChecksum;
import io.albis.format.run.Run;
import io.albis.format.run.StoredBytes;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Encodes and decodes the section of an index in a metadata file; see {@code docs/format.md}, "Auxiliary chunks".
 */
public final class ValueListCodec
{
    private static final int RANGES = 3;
    // far more than a writer needs for the most rows of a row group, and far less than what an array can have
    private static final int MAX_LENGTH = 1 << 30;

    private ValueListCodec() {}

    public static Slice encode(ValueList list)
    {
        SliceOutput output = new DynamicSliceOutput(256);
        output.writeInt(RANGES);
        writeRange(list.directory(), output);
        writeRange(list.pages(), output);
        writeRange(list.postings(), output);
        output.writeInt(list.rows());
        output.writeInt(list.values());
        output.writeInt(list.nulls());
        output.writeInt(list.nullsLength());
        return output.slice();
    }

    private static void writeRange(StoredRange range, SliceOutput output)
    {
        output.writeLong(range.offset());
        output.writeInt(range.length());
        for (int checksum : range.bytes().checksums()) {
            output.writeInt(checksum);
        }
    }

    /**
     * Decodes a section.
     *
     * @param dataBytes size of the data file in bytes
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the section is damaged
     */
    public static ValueList decode(Slice section, long dataBytes)
    {
        SliceInput input = section.getInput();
        int ranges = input.readInt();
        checkArgument(ranges == RANGES, "an index has %s ranges", ranges);
        ValueList list = new ValueList(
                readRange(input, dataBytes),
                readRange(input, dataBytes),
                readRange(input, dataBytes),
                input.readInt(),
                input.readInt(),
                input.readInt(),
                input.readInt());
        checkArgument(input.available() == 0, "an index has %s unexpected bytes", input.available());
        return list;
    }

    private static StoredRange readRange(SliceInput input, long dataBytes)
    {
        long offset = input.readLong();
        int length = input.readInt();
        checkArgument(offset >= 0 && length >= 0 && length <= MAX_LENGTH && offset <= dataBytes - length, "a range of an index has %s bytes at %s of a file of %s bytes", length, offset, dataBytes);
        int pages = PageChecksum.pages(Run.padded(length));
        checkArgument((long) pages * Integer.BYTES <= input.available(), "%s checksums do not fit into the remaining %s bytes", pages, input.available());
        int[] checksums = new int[pages];
        for (int page = 0; page < pages; page++) {
            checksums[page] = input.readInt();
        }
        return new StoredRange(offset, StoredBytes.plain(length, checksums));
    }
}
