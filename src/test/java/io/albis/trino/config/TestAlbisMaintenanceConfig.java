package io.albis.trino.config;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import org.junit.jupiter.api.Test;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.HOURS;

final class TestAlbisMaintenanceConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(AlbisMaintenanceConfig.class)
                .setExpireSnapshotsMinRetention(new Duration(7, DAYS))
                .setRemoveOrphanFilesMinRetention(new Duration(7, DAYS)));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        assertFullMapping(ImmutableMap.of("albis.expire-snapshots.min-retention", "13h", "albis.remove-orphan-files.min-retention", "14h"), new AlbisMaintenanceConfig()
                .setExpireSnapshotsMinRetention(new Duration(13, HOURS))
                .setRemoveOrphanFilesMinRetention(new Duration(14, HOURS)));
    }
}
