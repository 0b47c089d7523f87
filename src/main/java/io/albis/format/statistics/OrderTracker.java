package io.albis.format.statistics;

/**
 * Determines the order of values by comparing each value with the previous one.
 */
final class OrderTracker
{
    private boolean ascending = true;
    private boolean descending = true;

    /**
     * Adds a value.
     *
     * @param comparison comparison of the value with the previous one; positive if the value is greater
     */
    void next(int comparison)
    {
        ascending &= comparison >= 0;
        descending &= comparison <= 0;
    }

    /**
     * Adds several values whose order is already known.
     */
    void restrict(boolean isAscending, boolean isDescending)
    {
        ascending &= isAscending;
        descending &= isDescending;
    }

    boolean isOpen()
    {
        return ascending || descending;
    }

    ValueOrder order()
    {
        return ValueOrder.of(ascending, descending);
    }
}
