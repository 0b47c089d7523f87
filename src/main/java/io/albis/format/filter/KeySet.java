package io.albis.format.filter;

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

    long retainedSize();
}
