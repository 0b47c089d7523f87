package io.albis.format.run;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Up to {@link #MAX_ROWS} contiguous rows of a segment: the unit of checksums and of skipping. All runs of a segment
 * except the last one have {@link #MAX_ROWS} rows.
 *
 * @param length length in bytes, without the zeros that pad the run to a multiple of {@link #ALIGNMENT}
 * @param checksum CRC32C of the id of the file, the bytes of the run, and the padding
 * @param nulls number of rows in which the value is null; 0 in the row layout
 */
public record Run(int length, int checksum, int nulls)
{
    public static final int MAX_ROWS = 8192;
    public static final int ALIGNMENT = 8;

    public Run
    {
        checkArgument(length >= 0 && length <= Integer.MAX_VALUE - ALIGNMENT, "invalid run length: %s", length);
        checkArgument(nulls >= 0 && nulls <= MAX_ROWS, "invalid number of nulls in a run: %s", nulls);
    }

    /**
     * Returns the length in bytes including padding.
     */
    public int paddedLength()
    {
        return padded(length);
    }

    /**
     * Rounds a length up to a multiple of {@link #ALIGNMENT}.
     */
    public static int padded(int length)
    {
        return (length + ALIGNMENT - 1) & -ALIGNMENT;
    }
}
