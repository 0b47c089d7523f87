package io.albis.trino.config;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.DataSize;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static io.airlift.units.DataSize.Unit.MEGABYTE;

final class TestAlbisReadConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(AlbisReadConfig.class)
                .setMetadataCacheMaxSize(DataSize.of(128, MEGABYTE))
                .setManifestCacheMaxSize(DataSize.of(256, MEGABYTE))
                .setManifestReadThreads(32)
                .setReadAhead(ReadAhead.AUTO)
                .setReadAheadMaxSize(DataSize.of(16, MEGABYTE))
                .setReadAheadThreads(32)
                .setSplitLocality(SplitLocality.OFF)
                .setDomainCompactionThreshold(1000)
                .setExpressionFiltering(true)
                .setAggregationPushdownEnabled(true)
                .setLimitPushdownEnabled(true)
                .setTopNPushdownEnabled(true)
                .setSamplePushdownEnabled(true)
                .setBucketExecutionEnabled(true));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .put("albis.metadata-cache.max-size", "1MB")
                .put("albis.manifest-cache.max-size", "3MB")
                .put("albis.manifest-read.threads", "5")
                .put("albis.read-ahead", "NEVER")
                .put("albis.read-ahead.max-size", "2MB")
                .put("albis.read-ahead.threads", "3")
                .put("albis.split-locality", "prefer")
                .put("albis.domain-compaction-threshold", "4")
                .put("albis.expression-filtering", "false")
                .put("albis.aggregation-pushdown-enabled", "false")
                .put("albis.limit-pushdown-enabled", "false")
                .put("albis.topn-pushdown-enabled", "false")
                .put("albis.sample-pushdown-enabled", "false")
                .put("albis.bucket-execution-enabled", "false")
                .buildOrThrow();

        assertFullMapping(properties, new AlbisReadConfig()
                .setMetadataCacheMaxSize(DataSize.of(1, MEGABYTE))
                .setManifestCacheMaxSize(DataSize.of(3, MEGABYTE))
                .setManifestReadThreads(5)
                .setReadAhead(ReadAhead.NEVER)
                .setReadAheadMaxSize(DataSize.of(2, MEGABYTE))
                .setReadAheadThreads(3)
                .setSplitLocality(SplitLocality.PREFER)
                .setDomainCompactionThreshold(4)
                .setExpressionFiltering(false)
                .setAggregationPushdownEnabled(false)
                .setLimitPushdownEnabled(false)
                .setTopNPushdownEnabled(false)
                .setSamplePushdownEnabled(false)
                .setBucketExecutionEnabled(false));
    }
}
