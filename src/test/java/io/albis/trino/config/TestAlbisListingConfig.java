package io.albis.trino.config;

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Test;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;

final class TestAlbisListingConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(AlbisListingConfig.class)
                .setParallelism(8));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        assertFullMapping(ImmutableMap.of("albis.listing.parallelism", "3"), new AlbisListingConfig()
                .setParallelism(3));
    }
}
