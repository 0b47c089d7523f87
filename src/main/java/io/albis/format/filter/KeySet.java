package io.albis.format.filter;

import io.albis.format.layout.block.IntegerRun;

/**
 * A set of order keys. For keys of one long, the second long is 0 in {@link #contains} and omitted in {@link #select}.
 */
interface KeySet
{
    boolean contains(long high, long low);

    /**
     * Selects the keys that are in the set.
     *
     * @param high first longs of the keys
     * @param low second longs of the keys; may be empty for keys of one long
     * @param count number of keys
     * @param selected receives the indexes of the keys that are in the set, in ascending order
     * @return number of selected keys
     */
    int select(long[] high, long[] low, int count, int[] selected);

    /**
     * Returns whether the set can select rows of a run by the values as they are stored.
     */
    default boolean supports(IntegerRun run)
    {
        return false;
    }

    /**
     * Keeps the rows of a run whose values are in the set, without widening the values. A null is in no set. Supported
     * only for a run that the set {@link #takes}.
     *
     * @param rows rows within the run, ascending; those that match are moved to its front
     * @return the number of rows that match
     */
    default int select(IntegerRun run, int[] rows, int count)
    {
        throw new UnsupportedOperationException();
    }

    long retainedSize();
}
