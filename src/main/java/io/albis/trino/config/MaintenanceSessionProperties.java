package io.albis.trino.config;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.units.Duration;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.trino.plugin.base.session.PropertyMetadataUtil.durationProperty;

/**
 * Session properties for the statements that reclaim space.
 */
public class MaintenanceSessionProperties
        implements SessionPropertiesProvider
{
    public static final String EXPIRE_SNAPSHOTS_MIN_RETENTION = "expire_snapshots_min_retention";
    public static final String REMOVE_ORPHAN_FILES_MIN_RETENTION = "remove_orphan_files_min_retention";

    private final List<PropertyMetadata<?>> sessionProperties;

    @Inject
    public MaintenanceSessionProperties(AlbisMaintenanceConfig config)
    {
        sessionProperties = ImmutableList.of(
                durationProperty(
                        EXPIRE_SNAPSHOTS_MIN_RETENTION,
                        "Minimal retention period for expire_snapshots procedure",
                        config.getExpireSnapshotsMinRetention(),
                        false),
                durationProperty(
                        REMOVE_ORPHAN_FILES_MIN_RETENTION,
                        "Minimal retention period for remove_orphan_files procedure",
                        config.getRemoveOrphanFilesMinRetention(),
                        false));
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return sessionProperties;
    }

    public static Duration getExpireSnapshotsMinRetention(ConnectorSession session)
    {
        return session.getProperty(EXPIRE_SNAPSHOTS_MIN_RETENTION, Duration.class);
    }

    public static Duration getRemoveOrphanFilesMinRetention(ConnectorSession session)
    {
        return session.getProperty(REMOVE_ORPHAN_FILES_MIN_RETENTION, Duration.class);
    }
}
