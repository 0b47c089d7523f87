package io.albis.format.run;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Up to {@link #MAX_ROWS} contiguous rows of a segment: the unit of skipping. All runs of a segment except the last one
 * have {@link #MAX_ROWS} rows.
 *
 * @param stored the bytes of the run
 * @param nulls number of rows in which the value is null; 0 in the row layout
 * @param encoding parameters of the encoding of the chunk for this run
 */
public record Run(StoredBytes stored, int nulls, RunEncoding encoding)
{
    public static final int MAX_ROWS = 8192;
    public static final int ALIGNMENT = 8;

    public Run
    {
        requireNonNull(stored, "stored is null");
        requireNonNull(encoding, "encoding is null");
        checkArgument(nulls >= 0 && nulls <= MAX_ROWS, "invalid number of nulls in a run: %s", nulls);
    }

    /**
     * Returns the length in bytes after decompression, without padding.
     */
    public int length()
    {
        return stored.decodedLength();
    }

    /**
     * Returns the length in the data file including padding.
     */
    public int paddedLength()
    {
        return stored.paddedLength();
    }

    /**
     * Rounds a length up to a multiple of {@link #ALIGNMENT}.
     */
    public static int padded(int length)
    {
        return (length + ALIGNMENT - 1) & -ALIGNMENT;
    }
}
