package io.albis.format.run;

/**
 * Thrown when a row is larger than the maximum row size. The cause is the data that a user stores, not a damaged file.
 */
public class RowTooLargeException
        extends IllegalArgumentException
{
    /**
     * Maximum size of a row in bytes, which leaves room for other rows in the same array.
     */
    public static final int MAX_SIZE = 1 << 30;

    public RowTooLargeException(long size)
    {
        super("Row of %s bytes exceeds the maximum row size of %s bytes".formatted(size, MAX_SIZE));
    }
}
