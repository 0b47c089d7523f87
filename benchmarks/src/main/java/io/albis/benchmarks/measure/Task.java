package io.albis.benchmarks.measure;

/**
 * Something that is done on each of the catalogs.
 */
public interface Task
{
    String name();

    /**
     * @throws RuntimeException if it does not succeed
     */
    Figures run(String catalog);
}
