package io.albis.format.statistics;

/**
 * The order of the non-null values of a column, according to the comparison of the type.
 */
public enum ValueOrder
{
    /**
     * The order is unknown, or none of the other orders applies.
     */
    UNORDERED(0),
    /**
     * No value is less than the previous one.
     */
    ASCENDING(1),
    /**
     * No value is greater than the previous one.
     */
    DESCENDING(2),
    /**
     * All values are equal, or there is at most one value.
     */
    CONSTANT(3);

    private final int code;

    ValueOrder(int code)
    {
        this.code = code;
    }

    /**
     * Returns the order of values of which no value is less than the previous one, or none is greater, or both.
     */
    static ValueOrder of(boolean ascending, boolean descending)
    {
        if (ascending) {
            return descending ? CONSTANT : ASCENDING;
        }
        return descending ? DESCENDING : UNORDERED;
    }

    /**
     * Returns the code of this order in files.
     */
    public int code()
    {
        return code;
    }

    /**
     * Returns the order with a code. A newer writer may know other orders, of which nothing is known here.
     */
    static ValueOrder ofCode(int code)
    {
        for (ValueOrder order : values()) {
            if (order.code == code) {
                return order;
            }
        }
        return UNORDERED;
    }
}
