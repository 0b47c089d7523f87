package io.albis.format.run;

/**
 * Where the bytes of a run are in memory.
 *
 * @param bytes holds them, and {@link NarrowValues#SLACK} more bytes at the least; not to be changed
 * @param offset of the first
 * @param length without padding
 * @param rows of the run
 * @param nulls rows without a value
 */
public record RunBytes(byte[] bytes, int offset, int length, int rows, int nulls)
{
    /**
     * Whether words of validity stand before the values.
     */
    public boolean hasValidity()
    {
        return nulls > 0 && nulls < rows;
    }

    /**
     * Bytes of the words of validity.
     */
    public int validityLength()
    {
        return hasValidity() ? validityLength(rows) : 0;
    }

    public static int validityLength(int rows)
    {
        return (rows + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
    }

    /**
     * Whether a row has a value.
     */
    public boolean isValid(int row)
    {
        if (nulls == 0) {
            return true;
        }
        return nulls < rows && ((bytes[offset + row / Byte.SIZE] >> (row % Byte.SIZE)) & 1) != 0;
    }
}
