package io.albis.format.run;

import io.albis.format.vector.NarrowValues;

import java.util.Arrays;

/**
 * The location of a run in memory.
 *
 * @param bytes array that contains the run, or only the pages of it that were requested, followed by at least
 *         {@link NarrowValues#SLACK} bytes; must not be modified
 * @param offset offset of the first byte
 * @param length length in bytes, without padding
 * @param rows number of rows
 * @param nulls number of rows in which the value is null
 * @param encoding parameters of the encoding of the values
 */
public record RunBytes(byte[] bytes, int offset, int length, int rows, int nulls, RunEncoding encoding)
{
    /**
     * Returns the run in an array of its own.
     */
    public RunBytes copy()
    {
        byte[] copy = Arrays.copyOfRange(bytes, offset, offset + length + NarrowValues.SLACK);
        return new RunBytes(copy, 0, length, rows, nulls, encoding);
    }

    /**
     * Returns whether the values are preceded by validity words.
     */
    public boolean hasValidity()
    {
        return nulls > 0 && nulls < rows;
    }

    /**
     * Returns the length of the validity words in bytes.
     */
    public int validityLength()
    {
        return hasValidity() ? validityLength(rows) : 0;
    }

    /**
     * Returns the length in bytes of the validity words of a run that has both nulls and values.
     */
    public static int validityLength(int rows)
    {
        return (rows + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
    }

    /**
     * Returns whether the value of a row is not null.
     */
    public boolean isValid(int row)
    {
        if (nulls == 0) {
            return true;
        }
        return nulls < rows && ((bytes[offset + row / Byte.SIZE] >> (row % Byte.SIZE)) & 1) != 0;
    }
}
