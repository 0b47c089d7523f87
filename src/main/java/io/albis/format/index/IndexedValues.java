package io.albis.format.index;

import io.airlift.slice.Slice;
import io.trino.spi.block.ValueBlock;

/**
 * Collects the values of a column of a row group, and returns them in ascending order of their keys.
 */
interface IndexedValues
{
    /**
     * Receives each distinct value with the positions of its rows.
     */
    @FunctionalInterface
    interface Sink
    {
        /**
         * Receives a value, which is greater than those before it.
         *
         * @param positions array of positions; the sink must not keep it
         * @param begin index of the first position of the value; its positions are ascending
         * @param end index after the last position of the value
         */
        void add(Slice key, int[] positions, int begin, int end);
    }

    /**
     * Adds values that are not null, unless a value cannot be in an index.
     *
     * @param offset position of the first value in the block
     * @param count number of values
     * @param position position of the first row in the row group
     * @return false if a value is too long for an index
     */
    boolean add(ValueBlock block, int offset, int count, int position);

    /**
     * Returns all values in ascending order, and releases them.
     */
    void finish(Sink sink);

    long retainedSize();
}
