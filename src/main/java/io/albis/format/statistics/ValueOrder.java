package io.albis.format.statistics;

/**
 * The order of the non-null values of a column, according to the comparison of the type.
 */
public enum ValueOrder
{
    /**
     * The order is unknown, or none of the other orders applies.
     */
    UNORDERED,
    /**
     * No value is less than the previous one.
     */
    ASCENDING,
    /**
     * No value is greater than the previous one.
     */
    DESCENDING,
    /**
     * All values are equal, or there is at most one value.
     */
    CONSTANT,
}
