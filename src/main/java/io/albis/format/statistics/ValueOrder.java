package io.albis.format.statistics;

/**
 * How the values of a column follow each other, nulls left out, by the comparison of their type.
 */
public enum ValueOrder
{
    /**
     * Nothing is known, or neither of the others holds.
     */
    UNORDERED(0),
    /**
     * No value is less than the one before it.
     */
    ASCENDING(1),
    /**
     * No value is greater than the one before it.
     */
    DESCENDING(2),
    /**
     * All values are equal, or there is at most one.
     */
    CONSTANT(3);

    private final int code;

    ValueOrder(int code)
    {
        this.code = code;
    }

    /**
     * Returns the code of this order in files.
     */
    public int code()
    {
        return code;
    }

    /**
     * @throws IllegalArgumentException if no order has the code
     */
    public static ValueOrder ofCode(int code)
    {
        for (ValueOrder order : values()) {
            if (order.code == code) {
                return order;
            }
        }
        throw new IllegalArgumentException("unknown order " + code);
    }
}
