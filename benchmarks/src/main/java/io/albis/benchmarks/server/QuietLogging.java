package io.albis.benchmarks.server;

import io.airlift.log.Logging;

import static io.airlift.log.Level.ERROR;
import static io.airlift.log.Level.WARN;

/**
 * Limits the log to messages that are relevant during a benchmark.
 */
final class QuietLogging
{
    private QuietLogging() {}

    public static void initialize()
    {
        Logging logging = Logging.initialize();
        logging.setLevel("io.airlift", WARN);
        logging.setLevel("io.trino", WARN);
        logging.setLevel("Bootstrap", WARN);
        logging.setLevel("org.apache", WARN);
        logging.setLevel("org.eclipse.jetty", ERROR);
        logging.setLevel("org.glassfish", ERROR);
        logging.setLevel("org.hibernate", ERROR);
        // Failed queries are reported as measurements
        logging.setLevel("io.trino.event.QueryMonitor", ERROR);
    }
}
