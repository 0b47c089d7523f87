package io.albis.format.run;

import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Encodes and decodes the description of the bytes of a run or of a dictionary in a metadata file. The parameters of
 * the encoding are between the lengths and the checksums, so each has a method of its own.
 */
final class StoredBytesCodec
{
    private StoredBytesCodec() {}

    record Lengths(Compression compression, int length, int decodedLength) {}

    static void writeLengths(StoredBytes stored, SliceOutput output)
    {
        output.writeByte(stored.compression().code());
        output.writeInt(stored.length());
        if (stored.compression() != Compression.NONE) {
            output.writeInt(stored.decodedLength());
        }
    }

    static Lengths readLengths(SliceInput input)
    {
        Compression compression = Compression.ofCode(input.readUnsignedByte());
        int length = input.readInt();
        return new Lengths(compression, length, compression == Compression.NONE ? length : input.readInt());
    }

    static void writeChecksums(StoredBytes stored, SliceOutput output)
    {
        for (int checksum : stored.checksums()) {
            output.writeInt(checksum);
        }
    }

    static StoredBytes readChecksums(Lengths lengths, SliceInput input)
    {
        // a damaged length never causes a large allocation
        int pages = StoredBytes.pages(lengths.length());
        checkArgument(pages >= 0 && (long) pages * Integer.BYTES <= input.available(), "%s checksums do not fit into the remaining %s bytes", pages, input.available());
        int[] checksums = new int[pages];
        for (int page = 0; page < pages; page++) {
            checksums[page] = input.readInt();
        }
        return new StoredBytes(lengths.compression(), lengths.length(), lengths.decodedLength(), checksums);
    }
}
