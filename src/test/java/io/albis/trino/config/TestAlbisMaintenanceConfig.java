package io.albis.trino.config;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import org.junit.jupiter.api.Test;

import java.util.Map;

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
                .setRemoveOrphanFilesMinRetention(new Duration(7, DAYS))
                .setVacuumMinRetention(new Duration(7, DAYS))
                .setRegisterTableProcedureEnabled(false));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.of(
                "albis.expire-snapshots.min-retention", "13h",
                "albis.remove-orphan-files.min-retention", "14h",
                "albis.vacuum.min-retention", "15h",
                "albis.register-table-procedure.enabled", "true");
        assertFullMapping(properties, new AlbisMaintenanceConfig()
                .setExpireSnapshotsMinRetention(new Duration(13, HOURS))
                .setRemoveOrphanFilesMinRetention(new Duration(14, HOURS))
                .setVacuumMinRetention(new Duration(15, HOURS))
                .setRegisterTableProcedureEnabled(true));
    }
}
