package io.albis.format.run;

import io.albis.format.io.PageChecksum;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The bytes of a run or of a dictionary in a data file. Zeros pad them to a multiple of {@link Run#ALIGNMENT}.
 *
 * @param compression compression of the bytes
 * @param length length in the data file, without padding
 * @param decodedLength length before compression
 * @param checksums checksum of each page of the bytes and their padding; callers must not modify the array
 */
public record StoredBytes(Compression compression, int length, int decodedLength, int[] checksums)
{
    public StoredBytes
    {
        requireNonNull(compression, "compression is null");
        checkArgument(isValidLength(length) && isValidLength(decodedLength), "invalid length of a part: %s, before compression: %s", length, decodedLength);
        checkArgument(compression != Compression.NONE || length == decodedLength, "a part that is not compressed has two lengths: %s and %s", length, decodedLength);
        checkArgument(checksums.length == pages(length), "%s bytes cannot have %s checksums", length, checksums.length);
    }

    /**
     * Returns the description of bytes that are not compressed.
     */
    public static StoredBytes plain(int length, int[] checksums)
    {
        return new StoredBytes(Compression.NONE, length, length, checksums);
    }

    private static boolean isValidLength(int length)
    {
        return length >= 0 && length <= Integer.MAX_VALUE - Run.ALIGNMENT;
    }

    /**
     * Returns the number of pages of a part.
     *
     * @param length length in bytes, without padding
     */
    static int pages(int length)
    {
        return PageChecksum.pages(Run.padded(length));
    }

    /**
     * Returns the length in the data file including padding.
     */
    public int paddedLength()
    {
        return Run.padded(length);
    }
}
