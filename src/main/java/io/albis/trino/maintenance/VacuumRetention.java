package io.albis.trino.maintenance;

import io.airlift.units.Duration;
import io.albis.trino.config.AlbisMaintenanceConfig;
import io.albis.trino.config.MaintenanceSessionProperties;
import io.albis.trino.procedure.Retention;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.time.Instant;

import static io.trino.plugin.base.util.Procedures.checkProcedureArgument;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;

/**
 * The retention of vacuum and of the function that shows what it would free.
 */
final class VacuumRetention
{
    static final String ARGUMENT = "RETENTION_THRESHOLD";
    static final String DEFAULT = "7d";

    private VacuumRetention() {}

    /**
     * Returns the beginning of the retention.
     *
     * @param threshold a duration such as 7d, possibly null
     * @throws TrinoException INVALID_PROCEDURE_ARGUMENT if it is not a duration, or shorter than the minimum
     */
    static Instant begin(ConnectorSession session, String threshold)
    {
        checkProcedureArgument(threshold != null, "retention_threshold cannot be null");
        Duration retention;
        try {
            retention = Duration.valueOf(threshold);
        }
        catch (IllegalArgumentException e) {
            throw new TrinoException(INVALID_PROCEDURE_ARGUMENT, "retention_threshold '%s' is not a duration such as '%s'".formatted(threshold, DEFAULT), e);
        }
        return Retention.begin(
                session,
                retention,
                MaintenanceSessionProperties.getVacuumMinRetention(session),
                AlbisMaintenanceConfig.VACUUM_MIN_RETENTION,
                MaintenanceSessionProperties.VACUUM_MIN_RETENTION);
    }
}
