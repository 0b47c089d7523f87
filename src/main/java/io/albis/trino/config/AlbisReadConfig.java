package io.albis.trino.config;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import io.airlift.units.MaxDataSize;
import io.airlift.units.MinDataSize;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import static io.airlift.units.DataSize.Unit.MEGABYTE;

/**
 * Properties of a catalog that say how files are read.
 */
public class AlbisReadConfig
{
    static final String MIN_READ_AHEAD = "64kB";
    static final String MAX_READ_AHEAD = "1GB";

    private DataSize metadataCacheMaxSize = DataSize.of(128, MEGABYTE);
    private DataSize manifestCacheMaxSize = DataSize.of(256, MEGABYTE);
    private int manifestReadThreads = 32;
    private ReadAhead readAhead = ReadAhead.AUTO;
    private DataSize readAheadMaxSize = DataSize.of(16, MEGABYTE);
    private int readAheadThreads = 32;
    private SplitLocality splitLocality = SplitLocality.OFF;
    private int domainCompactionThreshold = 1000;

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

    @NotNull
    public DataSize getManifestCacheMaxSize()
    {
        return manifestCacheMaxSize;
    }

    @Config("albis.manifest-cache.max-size")
    @ConfigDescription("Memory of the coordinator for the lists of row groups of tables, so that they need not be read again; 0B for none")
    public AlbisReadConfig setManifestCacheMaxSize(DataSize manifestCacheMaxSize)
    {
        this.manifestCacheMaxSize = manifestCacheMaxSize;
        return this;
    }

    @Min(1)
    public int getManifestReadThreads()
    {
        return manifestReadThreads;
    }

    @Config("albis.manifest-read.threads")
    @ConfigDescription("Threads of the coordinator that read lists of row groups, for all queries together")
    public AlbisReadConfig setManifestReadThreads(int manifestReadThreads)
    {
        this.manifestReadThreads = manifestReadThreads;
        return this;
    }

    @NotNull
    public ReadAhead getReadAhead()
    {
        return readAhead;
    }

    @Config("albis.read-ahead")
    @ConfigDescription("Whether the next bytes are read while those before are decoded: ALWAYS, NEVER, or AUTO for all file systems but the local one")
    public AlbisReadConfig setReadAhead(ReadAhead readAhead)
    {
        this.readAhead = readAhead;
        return this;
    }

    @NotNull
    @MinDataSize(MIN_READ_AHEAD)
    @MaxDataSize(MAX_READ_AHEAD)
    public DataSize getReadAheadMaxSize()
    {
        return readAheadMaxSize;
    }

    @Config("albis.read-ahead.max-size")
    @ConfigDescription("How much a split may have read, or be reading, that is not needed yet")
    public AlbisReadConfig setReadAheadMaxSize(DataSize readAheadMaxSize)
    {
        this.readAheadMaxSize = readAheadMaxSize;
        return this;
    }

    @Min(1)
    public int getReadAheadThreads()
    {
        return readAheadThreads;
    }

    @Config("albis.read-ahead.threads")
    @ConfigDescription("The most requests that read ahead at a time, on each node")
    public AlbisReadConfig setReadAheadThreads(int readAheadThreads)
    {
        this.readAheadThreads = readAheadThreads;
        return this;
    }

    @NotNull
    public SplitLocality getSplitLocality()
    {
        return splitLocality;
    }

    @Config("albis.split-locality")
    @ConfigDescription("Whether splits ask for the machines that have their bytes: OFF, or PREFER where the file system tells")
    public AlbisReadConfig setSplitLocality(SplitLocality splitLocality)
    {
        this.splitLocality = splitLocality;
        return this;
    }

    @Min(1)
    public int getDomainCompactionThreshold()
    {
        return domainCompactionThreshold;
    }

    @Config("albis.domain-compaction-threshold")
    @ConfigDescription("A predicate on a column with more values or ranges stays with the engine, and the reader gets this many ranges")
    public AlbisReadConfig setDomainCompactionThreshold(int domainCompactionThreshold)
    {
        this.domainCompactionThreshold = domainCompactionThreshold;
        return this;
    }
}
