package io.albis.trino.procedure;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.albis.table.Warehouse;
import io.albis.table.maintenance.ExpiryResult;
import io.albis.table.version.AlbisTable;
import io.albis.trino.config.AlbisMaintenanceConfig;
import io.albis.trino.config.MaintenanceSessionProperties;
import io.albis.trino.handle.AlbisTableHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.time.Instant;
import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.procedure.Retention.RETENTION_THRESHOLD;
import static io.trino.plugin.base.session.PropertyMetadataUtil.durationProperty;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.session.PropertyMetadata.integerProperty;

/**
 * The procedure expire_snapshots, with the arguments and errors of the Iceberg connector.
 */
final class ExpireSnapshots
{
    private static final String RETAIN_LAST = "retain_last";

    private ExpireSnapshots() {}

    static PropertyMetadata<?>[] arguments()
    {
        return new PropertyMetadata<?>[] {
                durationProperty(
                        RETENTION_THRESHOLD,
                        "Only snapshots older than threshold should be removed",
                        Duration.valueOf("7d"),
                        false),
                integerProperty(
                        RETAIN_LAST,
                        "Number of snapshots to retain",
                        1,
                        value -> checkArgument(value >= 1, "Number of snapshots to retain must be at least 1"),
                        false),
        };
    }

    static ExpireSnapshotsHandle handle(AlbisTableHandle table, Map<String, Object> arguments)
    {
        return new ExpireSnapshotsHandle(table, (Duration) arguments.get(RETENTION_THRESHOLD), (int) arguments.get(RETAIN_LAST));
    }

    static Map<String, Long> execute(ConnectorSession session, Warehouse warehouse, AlbisTable table, ExpireSnapshotsHandle handle)
    {
        Instant replacedBefore = Retention.begin(
                session,
                handle.retentionThreshold(),
                MaintenanceSessionProperties.getExpireSnapshotsMinRetention(session),
                AlbisMaintenanceConfig.EXPIRE_SNAPSHOTS_MIN_RETENTION,
                MaintenanceSessionProperties.EXPIRE_SNAPSHOTS_MIN_RETENTION,
                INVALID_PROCEDURE_ARGUMENT);
        ExpiryResult result = translate(() -> warehouse.expireVersions(table, replacedBefore, handle.retainLast()));
        return ImmutableMap.of(
                "expired_snapshots_count", result.versions(),
                "deleted_row_groups_count", result.rowGroups(),
                "deleted_column_groups_count", result.columnGroups(),
                "deleted_deletes_files_count", result.deletesFiles(),
                "deleted_manifests_count", result.manifests());
    }
}
