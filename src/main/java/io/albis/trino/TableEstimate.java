package io.albis.trino;

import io.trino.spi.statistics.TableStatistics;

import static java.util.Objects.requireNonNull;

/**
 * @param filtered whether the statistics are about the rows that match what the reader enforces; else they are about
 *         all rows of the row groups that are left
 */
record TableEstimate(TableStatistics statistics, boolean filtered)
{
    TableEstimate
    {
        requireNonNull(statistics, "statistics is null");
    }
}
