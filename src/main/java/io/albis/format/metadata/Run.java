package io.albis.format.metadata;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * At most {@link #MAX_ROWS} rows that stand together in a segment: the unit of checking and of skipping.
 *
 * @param rows at least one
 * @param offset of the first byte in the data file
 * @param length bytes, without the zeros that fill up to the next multiple of {@link #ALIGNMENT}
 * @param checksum CRC32C of the id of the file, the bytes of the run and the zeros behind it
 */
public record Run(int rows, long offset, int length, int checksum)
{
    public static final int MAX_ROWS = 8192;
    public static final int ALIGNMENT = 8;

    public Run
    {
        checkArgument(rows > 0 && rows <= MAX_ROWS, "a run has %s rows", rows);
        checkArgument(offset >= FileFrame.HEADER_SIZE && offset % ALIGNMENT == 0, "a run begins at %s", offset);
        checkArgument(length >= 0 && length <= Integer.MAX_VALUE - ALIGNMENT, "a run has %s bytes", length);
    }

    public int padding()
    {
        return -length & (ALIGNMENT - 1);
    }

    public int paddedLength()
    {
        return length + padding();
    }

    public long end()
    {
        return offset + paddedLength();
    }
}
