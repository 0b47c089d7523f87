package io.albis.trino.procedure;

import io.airlift.units.Duration;
import io.trino.spi.connector.ConnectorSession;

import java.time.Instant;

import static io.trino.plugin.base.util.Procedures.checkProcedureArgument;

/**
 * The retention of a procedure, with the error of the Iceberg connector.
 */
final class Retention
{
    static final String RETENTION_THRESHOLD = "retention_threshold";

    private Retention() {}

    /**
     * Returns the beginning of the retention.
     *
     * @throws io.trino.spi.TrinoException INVALID_PROCEDURE_ARGUMENT if it is shorter than the minimum
     */
    static Instant begin(ConnectorSession session, Duration retention, Duration minRetention, String configProperty, String sessionProperty)
    {
        checkProcedureArgument(
                retention.compareTo(minRetention) >= 0,
                "Retention specified (%s) is shorter than the minimum retention configured in the system (%s). " +
                        "Minimum retention can be changed with %s configuration property or %s session property of the catalog",
                retention,
                minRetention,
                configProperty,
                sessionProperty);
        return session.getStart().minusMillis(retention.toMillis());
    }
}
