package io.albis.format.statistics;

/**
 * Finds the order of values from the comparison of each with the one before it.
 */
final class OrderTracker
{
    private boolean ascending = true;
    private boolean descending = true;

    /**
     * @param comparison of a value with the one before it: positive if it is greater
     */
    void next(int comparison)
    {
        ascending &= comparison >= 0;
        descending &= comparison <= 0;
    }

    /**
     * What is known of several values that come next.
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
        if (ascending) {
            return descending ? ValueOrder.CONSTANT : ValueOrder.ASCENDING;
        }
        return descending ? ValueOrder.DESCENDING : ValueOrder.UNORDERED;
    }
}
