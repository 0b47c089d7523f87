package io.albis.trino.config;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import jakarta.validation.constraints.NotNull;

import static java.util.concurrent.TimeUnit.DAYS;

/**
 * Configuration properties for the statements that reclaim space.
 */
public class AlbisMaintenanceConfig
{
    public static final String EXPIRE_SNAPSHOTS_MIN_RETENTION = "albis.expire-snapshots.min-retention";
    public static final String REMOVE_ORPHAN_FILES_MIN_RETENTION = "albis.remove-orphan-files.min-retention";
    public static final String VACUUM_MIN_RETENTION = "albis.vacuum.min-retention";

    private Duration expireSnapshotsMinRetention = new Duration(7, DAYS);
    private Duration removeOrphanFilesMinRetention = new Duration(7, DAYS);
    private Duration vacuumMinRetention = new Duration(7, DAYS);
    private boolean registerTableProcedureEnabled;

    @NotNull
    public Duration getExpireSnapshotsMinRetention()
    {
        return expireSnapshotsMinRetention;
    }

    @Config(EXPIRE_SNAPSHOTS_MIN_RETENTION)
    @ConfigDescription("Minimal retention period for expire_snapshots procedure")
    public AlbisMaintenanceConfig setExpireSnapshotsMinRetention(Duration expireSnapshotsMinRetention)
    {
        this.expireSnapshotsMinRetention = expireSnapshotsMinRetention;
        return this;
    }

    @NotNull
    public Duration getRemoveOrphanFilesMinRetention()
    {
        return removeOrphanFilesMinRetention;
    }

    @Config(REMOVE_ORPHAN_FILES_MIN_RETENTION)
    @ConfigDescription("Minimal retention period for remove_orphan_files procedure")
    public AlbisMaintenanceConfig setRemoveOrphanFilesMinRetention(Duration removeOrphanFilesMinRetention)
    {
        this.removeOrphanFilesMinRetention = removeOrphanFilesMinRetention;
        return this;
    }

    @NotNull
    public Duration getVacuumMinRetention()
    {
        return vacuumMinRetention;
    }

    @Config(VACUUM_MIN_RETENTION)
    @ConfigDescription("Minimal retention period for vacuum procedure")
    public AlbisMaintenanceConfig setVacuumMinRetention(Duration vacuumMinRetention)
    {
        this.vacuumMinRetention = vacuumMinRetention;
        return this;
    }

    public boolean isRegisterTableProcedureEnabled()
    {
        return registerTableProcedureEnabled;
    }

    @Config("albis.register-table-procedure.enabled")
    @ConfigDescription("Allow users to call the register_table procedure")
    public AlbisMaintenanceConfig setRegisterTableProcedureEnabled(boolean registerTableProcedureEnabled)
    {
        this.registerTableProcedureEnabled = registerTableProcedureEnabled;
        return this;
    }
}
