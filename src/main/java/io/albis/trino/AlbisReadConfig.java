package io.albis.trino;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import jakarta.validation.constraints.NotNull;

import static io.airlift.units.DataSize.Unit.MEGABYTE;

/**
 * Properties of a catalog that say how files are read.
 */
public class AlbisReadConfig
{
    private DataSize metadataCacheMaxSize = DataSize.of(128, MEGABYTE);

    @NotNull
    public DataSize getMetadataCacheMaxSize()
    {
        return metadataCacheMaxSize;
    }

    @Config("albis.metadata-cache.max-size")
    @ConfigDescription("Memory of each node for the metadata of column groups, so that it need not be read again; 0B for none")
    public AlbisReadConfig setMetadataCacheMaxSize(DataSize metadataCacheMaxSize)
    {
        this.metadataCacheMaxSize = metadataCacheMaxSize;
        return this;
    }
}
