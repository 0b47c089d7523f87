package io.albis.format.filter;

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
}
