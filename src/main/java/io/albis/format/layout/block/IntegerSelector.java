package io.albis.format.layout.block;

/**
 * A filter on integers in their encoded form.
 */
@FunctionalInterface
public interface IntegerSelector
{
    /**
     * Selects the rows whose values match.
     *
     * @param rows rows within the run, in ascending order; matching rows are moved to the front
     * @param count number of rows to test
     * @return number of matching rows
     */
    int select(IntegerRun run, int[] rows, int count);
}
