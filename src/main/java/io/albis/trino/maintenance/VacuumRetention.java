package io.albis.trino.maintenance;

import io.airlift.units.Duration;
import io.albis.trino.config.AlbisMaintenanceConfig;
import io.albis.trino.config.MaintenanceSessionProperties;
import io.albis.trino.procedure.Retention;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.time.Instant;

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
     * @param invalidArgument the code of the exception if it is not a duration, shorter than the minimum, or too long
     */
    static Instant begin(ConnectorSession session, String threshold, ErrorCodeSupplier invalidArgument)
    {
        if (threshold == null) {
            throw new TrinoException(invalidArgument, "retention_threshold cannot be null");
        }
        Duration retention;
        try {
            retention = Duration.valueOf(threshold);
        }
        catch (IllegalArgumentException e) {
            throw new TrinoException(invalidArgument, "retention_threshold '%s' is not a duration such as '%s'".formatted(threshold, DEFAULT), e);
        }
        return Retention.begin(
                session,
                retention,
                MaintenanceSessionProperties.getVacuumMinRetention(session),
                AlbisMaintenanceConfig.VACUUM_MIN_RETENTION,
                MaintenanceSessionProperties.VACUUM_MIN_RETENTION,
                invalidArgument);
    }
}
