package io.albis.benchmarks.measure;

import io.trino.testing.QueryFailedException;

/**
 * Something that is done on each of the catalogs.
 */
public interface Task
{
    String name();

    /**
     * @throws QueryFailedException if it does not succeed
     */
    Figures run(String catalog);
}
