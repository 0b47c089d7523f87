package io.albis.trino.procedure;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.albis.table.Warehouse;
import io.albis.table.maintenance.OrphanRemovalResult;
import io.albis.table.version.AlbisTable;
import io.albis.trino.config.AlbisMaintenanceConfig;
import io.albis.trino.config.MaintenanceSessionProperties;
import io.albis.trino.handle.AlbisTableHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.time.Instant;
import java.util.Map;

import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.procedure.Retention.RETENTION_THRESHOLD;
import static io.trino.plugin.base.session.PropertyMetadataUtil.durationProperty;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;

/**
 * The procedure remove_orphan_files, with the argument, the errors, and the results of the Iceberg connector.
 */
final class RemoveOrphanFiles
{
    private RemoveOrphanFiles() {}

    static PropertyMetadata<?> argument()
    {
        return durationProperty(
                RETENTION_THRESHOLD,
                "Only files older than threshold should be removed",
                Duration.valueOf("7d"),
                false);
    }

    static RemoveOrphanFilesHandle handle(AlbisTableHandle table, Map<String, Object> arguments)
    {
        return new RemoveOrphanFilesHandle(table, (Duration) arguments.get(RETENTION_THRESHOLD));
    }

    static Map<String, Long> execute(ConnectorSession session, Warehouse warehouse, AlbisTable table, RemoveOrphanFilesHandle handle)
    {
        Instant writtenBefore = Retention.begin(
                session,
                handle.retentionThreshold(),
                MaintenanceSessionProperties.getRemoveOrphanFilesMinRetention(session),
                AlbisMaintenanceConfig.REMOVE_ORPHAN_FILES_MIN_RETENTION,
                MaintenanceSessionProperties.REMOVE_ORPHAN_FILES_MIN_RETENTION,
                INVALID_PROCEDURE_ARGUMENT);
        OrphanRemovalResult result = translate(() -> warehouse.removeOrphans(table, writtenBefore));
        return ImmutableMap.of(
                "processed_manifests_count", result.manifests(),
                "active_files_count", result.namedFiles(),
                "scanned_files_count", result.scannedFiles(),
                "deleted_files_count", result.deletedFiles(),
                "deleted_bytes", result.deletedBytes());
    }
}
