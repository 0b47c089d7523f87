package io.albis.benchmarks.format.slice;

/**
 * Finds the rows of a row group whose values are in a range. Not thread safe.
 */
interface RangeSearch
{
    /**
     * Finds the rows.
     *
     * @param positions receives the positions of the rows within the row group, in ascending order; it has room for all
     *         rows
     * @return the number of rows that were found
     */
    int search(ValueRange range, int[] positions);
}
