package io.albis.benchmarks.workload;

import static java.util.Objects.requireNonNull;

/**
 * What an index costs: a table that is loaded with and without it.
 *
 * @param catalog name of the catalog
 * @param columns what the table contains and which of it has an index, for a reader
 * @param distinct approximate number of distinct values, or zero if several columns have an index
 */
public record IndexCost(String catalog, String columns, long distinct, LoadedTable without, LoadedTable with)
{
    public IndexCost
    {
        requireNonNull(catalog, "catalog is null");
        requireNonNull(columns, "columns is null");
        requireNonNull(without, "without is null");
        requireNonNull(with, "with is null");
    }

    /**
     * A table and its load.
     *
     * @param bytes size of the files
     * @param elapsedNanos median of all loads
     * @param cpuNanos median of all loads
     */
    public record LoadedTable(long bytes, double elapsedNanos, double cpuNanos) {}

    public long indexBytes()
    {
        return with.bytes() - without.bytes();
    }
}
