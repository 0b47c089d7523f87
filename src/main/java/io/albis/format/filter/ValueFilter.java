package io.albis.format.filter;

import io.albis.format.layout.block.IntegerRun;
import io.trino.spi.block.ValueBlock;

/**
 * Finds the values of one column that a domain contains.
 */
public interface ValueFilter
{
    /**
     * @param count positions to look at, from the first on
     * @param selected receives the positions that match, ascending
     * @return how many match
     */
    int select(ValueBlock block, int count, int[] selected);

    /**
     * Whether a null matches.
     */
    boolean selectsNulls();

    /**
     * Bytes of the arrays that the filter works in, without the values that it looks for.
     */
    default long retainedSize()
    {
        return 0;
    }

    /**
     * Whether {@link #selectIntegers} can be asked.
     */
    default boolean takesIntegers()
    {
        return false;
    }

    /**
     * Keeps the rows whose values match, by their integers.
     *
     * @param rows within the run, ascending; those that match are moved to its front
     * @return how many match
     */
    default int selectIntegers(IntegerRun run, int[] rows, int count)
    {
        throw new UnsupportedOperationException();
    }
}
