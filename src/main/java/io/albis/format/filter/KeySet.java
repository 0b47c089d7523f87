package io.albis.format.filter;

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

    long retainedSize();
}
