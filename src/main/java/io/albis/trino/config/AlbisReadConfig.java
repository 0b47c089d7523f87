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
 * Configuration properties for caches, read-ahead, and other aspects of reading files, or of not reading them.
 */
public class AlbisReadConfig
{
    private DataSize metadataCacheMaxSize = DataSize.of(128, MEGABYTE);
    private DataSize manifestCacheMaxSize = DataSize.of(256, MEGABYTE);
    private int manifestReadThreads = 32;
    private ReadAhead readAhead = ReadAhead.AUTO;
    private DataSize readAheadMaxSize = DataSize.of(16, MEGABYTE);
    private int readAheadThreads = 32;
    private SplitLocality splitLocality = SplitLocality.OFF;
    private int domainCompactionThreshold = 1000;
    private boolean expressionFiltering = true;
    private boolean aggregationPushdownEnabled = true;
    private boolean limitPushdownEnabled = true;
    private boolean topNPushdownEnabled = true;
    private boolean samplePushdownEnabled = true;
    private boolean bucketExecutionEnabled = true;

    @NotNull
    public DataSize getMetadataCacheMaxSize()
    {
        return metadataCacheMaxSize;
    }

    @Config("albis.metadata-cache.max-size")
    @ConfigDescription("Maximum size of the metadata cache for column groups on each node; 0B disables the cache")
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
    @ConfigDescription("Maximum size of the manifest cache on the coordinator; 0B disables the cache")
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
    @ConfigDescription("Number of threads on the coordinator that read manifests, for all queries together")
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
    @ConfigDescription(PropertyDescriptions.READ_AHEAD + ": ALWAYS, NEVER, or AUTO for all file systems except the local one")
    public AlbisReadConfig setReadAhead(ReadAhead readAhead)
    {
        this.readAhead = readAhead;
        return this;
    }

    @NotNull
    @MinDataSize(ReaderLimits.MIN_READ_AHEAD)
    @MaxDataSize(ReaderLimits.MAX_READ_AHEAD)
    public DataSize getReadAheadMaxSize()
    {
        return readAheadMaxSize;
    }

    @Config("albis.read-ahead.max-size")
    @ConfigDescription(PropertyDescriptions.READ_AHEAD_MAX_SIZE)
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
    @ConfigDescription("Maximum number of concurrent read-ahead requests on each node")
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
    @ConfigDescription(PropertyDescriptions.SPLIT_LOCALITY + ": OFF, or PREFER if the file system reports these machines")
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
    @ConfigDescription(PropertyDescriptions.DOMAIN_COMPACTION_THRESHOLD)
    public AlbisReadConfig setDomainCompactionThreshold(int domainCompactionThreshold)
    {
        this.domainCompactionThreshold = domainCompactionThreshold;
        return this;
    }

    public boolean isExpressionFiltering()
    {
        return expressionFiltering;
    }

    @Config("albis.expression-filtering")
    @ConfigDescription(PropertyDescriptions.EXPRESSION_FILTERING)
    public AlbisReadConfig setExpressionFiltering(boolean expressionFiltering)
    {
        this.expressionFiltering = expressionFiltering;
        return this;
    }

    public boolean isAggregationPushdownEnabled()
    {
        return aggregationPushdownEnabled;
    }

    @Config("albis.aggregation-pushdown-enabled")
    @ConfigDescription(PropertyDescriptions.AGGREGATION_PUSHDOWN_ENABLED)
    public AlbisReadConfig setAggregationPushdownEnabled(boolean aggregationPushdownEnabled)
    {
        this.aggregationPushdownEnabled = aggregationPushdownEnabled;
        return this;
    }

    public boolean isLimitPushdownEnabled()
    {
        return limitPushdownEnabled;
    }

    @Config("albis.limit-pushdown-enabled")
    @ConfigDescription(PropertyDescriptions.LIMIT_PUSHDOWN_ENABLED)
    public AlbisReadConfig setLimitPushdownEnabled(boolean limitPushdownEnabled)
    {
        this.limitPushdownEnabled = limitPushdownEnabled;
        return this;
    }

    public boolean isTopNPushdownEnabled()
    {
        return topNPushdownEnabled;
    }

    @Config("albis.topn-pushdown-enabled")
    @ConfigDescription(PropertyDescriptions.TOPN_PUSHDOWN_ENABLED)
    public AlbisReadConfig setTopNPushdownEnabled(boolean topNPushdownEnabled)
    {
        this.topNPushdownEnabled = topNPushdownEnabled;
        return this;
    }

    public boolean isSamplePushdownEnabled()
    {
        return samplePushdownEnabled;
    }

    @Config("albis.sample-pushdown-enabled")
    @ConfigDescription(PropertyDescriptions.SAMPLE_PUSHDOWN_ENABLED)
    public AlbisReadConfig setSamplePushdownEnabled(boolean samplePushdownEnabled)
    {
        this.samplePushdownEnabled = samplePushdownEnabled;
        return this;
    }

    public boolean isBucketExecutionEnabled()
    {
        return bucketExecutionEnabled;
    }

    @Config("albis.bucket-execution-enabled")
    @ConfigDescription(PropertyDescriptions.BUCKET_EXECUTION_ENABLED)
    public AlbisReadConfig setBucketExecutionEnabled(boolean bucketExecutionEnabled)
    {
        this.bucketExecutionEnabled = bucketExecutionEnabled;
        return this;
    }
}
