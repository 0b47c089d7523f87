package io.albis.benchmarks.measure;

import io.trino.testing.QueryFailedException;

/**
 * Something that is done on each of the catalogs.
 */
public interface Task
{
    String name();

    /**
     * Whether it is done there at all.
     */
    default boolean appliesTo(String catalog)
    {
        return true;
    }

    /**
     * @throws QueryFailedException if it does not succeed
     */
    Figures run(String catalog);
}
