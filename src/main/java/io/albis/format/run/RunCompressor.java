package io.albis.format.run;

import io.airlift.compress.v3.Compressor;
import io.airlift.compress.v3.lz4.Lz4Compressor;
import io.airlift.compress.v3.zstd.ZstdCompressor;
import jakarta.annotation.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * Compresses runs and dictionaries. Bytes that hardly become smaller stay as they are, so that no reader spends time on
 * decompressing them. Like the engine, it uses native code if the library has it for the platform. Not thread safe.
 */
final class RunCompressor
{
    // The bytes must become smaller by at least one part of this number.
    private static final int MIN_SAVED_PART = 8;
    // Fewer bytes than this are not compressed: a page is read as a whole, and each call has a constant cost.
    private static final int MIN_LENGTH = 128;
    // A larger buffer is not kept, so that an unusually large run does not increase memory for the rest of the file.
    private static final int MAX_KEPT_BYTES = 1 << 21;

    private final Compression compression;
    // null if nothing is compressed
    @Nullable
    private final Compressor compressor;
    private byte[] buffer = new byte[0];

    RunCompressor(Compression compression)
    {
        this.compression = requireNonNull(compression, "compression is null");
        this.compressor = switch (compression) {
            case NONE -> null;
            case LZ4 -> Lz4Compressor.create();
            case ZSTD -> ZstdCompressor.create();
        };
    }

    Compression compression()
    {
        return compression;
    }

    /**
     * Compresses bytes into the {@link #buffer}, where they are followed by room for padding.
     *
     * @return length of the compressed bytes, or 0 if the bytes are not to be compressed
     */
    int compress(byte[] bytes, int begin, int length)
    {
        if (compressor == null || length < MIN_LENGTH) {
            return 0;
        }
        int maxLength = compressor.maxCompressedLength(length);
        if (maxLength <= 0 || maxLength > Integer.MAX_VALUE - 2 * Run.ALIGNMENT) {
            return 0;
        }
        if (buffer.length < maxLength + Run.ALIGNMENT || buffer.length > Math.max(MAX_KEPT_BYTES, maxLength + Run.ALIGNMENT)) {
            buffer = new byte[maxLength + Run.ALIGNMENT];
        }
        int compressed = compressor.compress(bytes, begin, length, buffer, 0, maxLength);
        return compressed <= length - length / MIN_SAVED_PART && DecodedLengths.isAllowed(length, compressed) ? compressed : 0;
    }

    byte[] buffer()
    {
        return buffer;
    }

    long retainedSize()
    {
        return buffer.length + (compressor == null ? 0 : compressor.getRetainedSizeInBytes(buffer.length));
    }
}
