package io.albis.benchmarks.plan;

import static java.util.Objects.requireNonNull;

/**
 * What can differ between two plans.
 */
public enum Aspect
{
    TABLES("tables"),
    JOIN_ORDER("join order"),
    JOIN_DISTRIBUTION("join distribution"),
    AGGREGATIONS("aggregations"),
    EXCHANGES("exchanges"),
    OTHER_OPERATORS("other operators"),
    ESTIMATED_ROWS("estimated rows");

    private final String title;

    Aspect(String title)
    {
        this.title = requireNonNull(title, "title is null");
    }

    /**
     * Returns whether the engine runs different operators if plans differ in this.
     */
    public boolean isOfOperators()
    {
        return this != ESTIMATED_ROWS;
    }

    @Override
    public String toString()
    {
        return title;
    }
}
