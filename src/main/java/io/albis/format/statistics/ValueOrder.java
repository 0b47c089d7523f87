package io.albis.format.statistics;

/**
 * How the values of a column follow each other, nulls left out, by the comparison of their type.
 */
public enum ValueOrder
{
    /**
     * Nothing is known, or neither of the others holds.
     */
    UNORDERED,
    /**
     * No value is less than the one before it.
     */
    ASCENDING,
    /**
     * No value is greater than the one before it.
     */
    DESCENDING,
    /**
     * All values are equal, or there is at most one.
     */
    CONSTANT,
}
