package io.albis.format.filter;

import io.albis.format.layout.block.IntegerRun;

/**
 * A set of order keys. The second long of a key that has only one is 0 in {@link #contains} and not there in
 * {@link #select}.
 */
interface KeySet
{
    boolean contains(long high, long low);

    /**
     * @param selected receives the indexes of the keys that are in the set, ascending
     * @return how many are
     */
    int select(long[] high, long[] low, int count, int[] selected);

    /**
     * Whether the set can select rows of a run by the values as they are stored.
     */
    default boolean takes(IntegerRun run)
    {
        return false;
    }

    /**
     * Keeps the rows of a run whose values are in the set, without widening the values. A null is in no set. Supported only
     * for a run that the set {@link #takes}.
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
