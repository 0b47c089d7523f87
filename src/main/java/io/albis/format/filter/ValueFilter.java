package io.albis.format.filter;

import io.albis.format.layout.block.IntegerRun;
import io.trino.spi.block.ValueBlock;

/**
 * Selects the values of one column that a domain contains.
 */
public interface ValueFilter
{
    /**
     * Selects the matching positions of a block.
     *
     * @param count number of positions to test, starting at 0
     * @param selected receives the matching positions in ascending order
     * @return number of matching positions
     */
    int select(ValueBlock block, int count, int[] selected);

    /**
     * Returns whether null matches.
     */
    boolean selectsNulls();

    /**
     * Returns whether the filter only distinguishes nulls from other values.
     */
    default boolean testsNulls()
    {
        return false;
    }

    /**
     * Returns the memory of the working arrays of this filter in bytes, excluding the values that it looks up.
     */
    default long retainedSize()
    {
        return 0;
    }

    /**
     * Returns whether {@link #selectIntegers} is supported.
     */
    default boolean takesIntegers()
    {
        return false;
    }

    /**
     * Selects the rows of a run whose values match, without creating a block.
     *
     * @param rows rows within the run, in ascending order; matching rows are moved to the front
     * @param count number of rows to test
     * @return number of matching rows
     * @throws UnsupportedOperationException if {@link #takesIntegers} is false
     */
    default int selectIntegers(IntegerRun run, int[] rows, int count)
    {
        throw new UnsupportedOperationException();
    }
}
