package io.albis.trino.config;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

/**
 * Configuration properties for the listing of tables by the coordinator.
 */
public class AlbisListingConfig
{
    private int parallelism = 8;

    @Min(1)
    @Max(1000)
    public int getParallelism()
    {
        return parallelism;
    }

    @Config("albis.listing.parallelism")
    @ConfigDescription("Maximum number of threads that load tables for one listing, in addition to the thread of the query")
    public AlbisListingConfig setParallelism(int parallelism)
    {
        this.parallelism = parallelism;
        return this;
    }
}
