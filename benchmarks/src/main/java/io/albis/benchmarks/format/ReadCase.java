package io.albis.benchmarks.format;

import io.albis.benchmarks.format.data.Dataset;

import static java.util.Objects.requireNonNull;

/**
 * Something to read that is compared between formats.
 *
 * @param scan a name as {@link io.albis.benchmarks.format.jmh.ScanNames} makes it
 */
record ReadCase(String name, Dataset dataset, String scan)
{
    ReadCase
    {
        requireNonNull(name, "name is null");
        requireNonNull(dataset, "dataset is null");
        requireNonNull(scan, "scan is null");
    }
}
