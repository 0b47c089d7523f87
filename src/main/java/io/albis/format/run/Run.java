package io.albis.format.run;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Up to {@link #MAX_ROWS} rows that stand together in a segment: the unit of checking and of skipping. Every run of a
 * segment but the last has {@link #MAX_ROWS}.
 *
 * @param length bytes, without the zeros that fill up to the next multiple of {@link #ALIGNMENT}
 * @param checksum CRC32C of the id of the file, the bytes of the run and the zeros behind it
 * @param nulls how many rows have no value; 0 in the row layout
 */
public record Run(int length, int checksum, int nulls)
{
    public static final int MAX_ROWS = 8192;
    public static final int ALIGNMENT = 8;

    public Run
    {
        checkArgument(length >= 0 && length <= Integer.MAX_VALUE - ALIGNMENT, "a run has %s bytes", length);
        checkArgument(nulls >= 0 && nulls <= MAX_ROWS, "a run has %s nulls", nulls);
    }

    public int paddedLength()
    {
        return padded(length);
    }

    public static int padded(int length)
    {
        return (length + ALIGNMENT - 1) & -ALIGNMENT;
    }
}
