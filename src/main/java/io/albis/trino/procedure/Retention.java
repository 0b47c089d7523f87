package io.albis.trino.procedure;

import io.airlift.units.Duration;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.time.Instant;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * The retention of a procedure or a table function, with the error of the Iceberg connector.
 */
public final class Retention
{
    public static final String RETENTION_THRESHOLD = "retention_threshold";

    private Retention() {}

    /**
     * Returns the same duration in a unit in which its text has the same value. A text has two decimals, and the engine
     * sends handles with durations as texts.
     */
    static Duration exact(Duration duration)
    {
        return Duration.valueOf(duration.toString()).equals(duration) ? duration : new Duration(Math.rint(duration.getValue(MILLISECONDS)), MILLISECONDS);
    }

    /**
     * Returns the beginning of the retention.
     *
     * @param invalidArgument the code of the exception if the retention is shorter than the minimum or too long
     */
    public static Instant begin(ConnectorSession session, Duration retention, Duration minRetention, String configProperty, String sessionProperty, ErrorCodeSupplier invalidArgument)
    {
        if (retention.compareTo(minRetention) < 0) {
            throw new TrinoException(invalidArgument, ("Retention specified (%s) is shorter than the minimum retention configured in the system (%s). " +
                    "Minimum retention can be changed with %s configuration property or %s session property of the catalog").formatted(retention, minRetention, configProperty, sessionProperty));
        }
        try {
            return session.getStart().minusMillis(retention.toMillis());
        }
        catch (IllegalArgumentException e) {
            // More milliseconds than a long can represent
            throw new TrinoException(invalidArgument, "Retention specified (%s) is too long".formatted(retention), e);
        }
    }
}
