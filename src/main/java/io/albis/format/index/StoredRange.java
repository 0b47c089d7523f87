package io.albis.format.index;

import io.albis.format.run.StoredBytes;

import static java.util.Objects.requireNonNull;

/**
 * A range of bytes in a data file with the checksums of its pages.
 *
 * @param offset offset of the first byte in the data file
 */
public record StoredRange(long offset, StoredBytes bytes)
{
    public StoredRange
    {
        requireNonNull(bytes, "bytes is null");
    }

    int length()
    {
        return bytes.length();
    }
}
