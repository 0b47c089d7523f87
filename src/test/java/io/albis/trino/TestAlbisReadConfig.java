package io.albis.trino;

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
                .setMetadataCacheMaxSize(DataSize.of(128, MEGABYTE)));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.of("albis.metadata-cache.max-size", "1MB");

        assertFullMapping(properties, new AlbisReadConfig()
                .setMetadataCacheMaxSize(DataSize.of(1, MEGABYTE)));
    }
}
