package io.albis.benchmarks.format;

import io.albis.benchmarks.format.data.Dataset;

import static java.util.Objects.requireNonNull;

/**
 * A read operation that is compared between formats.
 *
 * @param scan name of a scan, see {@link io.albis.benchmarks.format.jmh.ScanNames}
 * @param threads number of threads that scan the dataset at the same time
 */
record ReadCase(String name, Dataset dataset, String scan, int threads)
{
    ReadCase
    {
        requireNonNull(name, "name is null");
        requireNonNull(dataset, "dataset is null");
        requireNonNull(scan, "scan is null");
    }

    ReadCase(String name, Dataset dataset, String scan)
    {
        this(name, dataset, scan, 1);
    }
}
