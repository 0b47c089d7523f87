package io.albis.format.run;

/**
 * A row has more bytes than one may have: this is about what somebody wants to store, and not about the files.
 */
public class RowTooLargeException
        extends IllegalArgumentException
{
    /**
     * The most bytes of a row, so that it fits an array beside others.
     */
    public static final int MAX_SIZE = 1 << 30;

    public RowTooLargeException(long size)
    {
        super("A row takes %s bytes, more than the %s bytes that a row may take".formatted(size, MAX_SIZE));
    }
}
