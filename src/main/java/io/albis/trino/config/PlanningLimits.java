package io.albis.trino.config;

/**
 * Limits of what the coordinator examines before a query starts.
 */
public final class PlanningLimits
{
    /**
     * The number of row groups up to which each of them is examined. A query of a larger table is planned without
     * looking at all of them.
     */
    public static final int MAX_ROW_GROUPS = 100_000;

    private PlanningLimits() {}
}
