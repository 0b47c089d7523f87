package io.albis.trino.config;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

/**
 * How the coordinator lists tables.
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
    @ConfigDescription("The most threads that load tables for one listing, besides the thread that asks")
    public AlbisListingConfig setParallelism(int parallelism)
    {
        this.parallelism = parallelism;
        return this;
    }
}
