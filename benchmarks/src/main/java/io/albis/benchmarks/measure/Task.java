package io.albis.benchmarks.measure;

import io.trino.testing.QueryFailedException;

/**
 * A task that runs on each of the catalogs.
 */
public interface Task
{
    String name();

    /**
     * Returns whether the task runs on the catalog.
     */
    default boolean appliesTo(String catalog)
    {
        return true;
    }

    /**
     * Runs the task.
     *
     * @throws QueryFailedException if the query fails
     */
    Figures run(String catalog);
}
