package io.albis.format.run;

import io.airlift.compress.v3.Decompressor;
import io.airlift.compress.v3.lz4.Lz4Decompressor;
import io.airlift.compress.v3.zstd.ZstdDecompressor;
import io.albis.format.vector.NarrowValues;
import jakarta.annotation.Nullable;

/**
 * Decompresses runs and dictionaries. Not thread safe.
 */
public final class RunDecompressor
{
    // created when they are first needed
    @Nullable
    private Decompressor lz4;
    @Nullable
    private Decompressor zstd;

    /**
     * Decompresses bytes whose checksums have been verified.
     *
     * @param output receives the bytes at its beginning. At least {@link NarrowValues#SLACK} bytes follow them
     * @throws IllegalArgumentException if the bytes are not the compressed form of as many bytes as the metadata states
     */
    public void decompress(StoredBytes stored, byte[] bytes, int begin, byte[] output)
    {
        Decompressor decompressor = decompressor(stored.compression());
        int length;
        try {
            length = decompressor.decompress(bytes, begin, stored.length(), output, 0, stored.decodedLength());
        }
        catch (RuntimeException e) {
            // the implementations throw different exceptions for invalid input, such as ArithmeticException
            throw new IllegalArgumentException("%s bytes cannot be decompressed with %s: %s".formatted(stored.length(), stored.compression(), e.getMessage()), e);
        }
        if (length != stored.decodedLength()) {
            throw new IllegalArgumentException("%s bytes are %s bytes after decompression with %s instead of %s".formatted(stored.length(), length, stored.compression(), stored.decodedLength()));
        }
    }

    private Decompressor decompressor(Compression compression)
    {
        return switch (compression) {
            case NONE -> throw new IllegalStateException("the bytes are not compressed");
            case LZ4 -> {
                if (lz4 == null) {
                    lz4 = Lz4Decompressor.create();
                }
                yield lz4;
            }
            case ZSTD -> {
                if (zstd == null) {
                    zstd = ZstdDecompressor.create();
                }
                yield zstd;
            }
        };
    }
}
