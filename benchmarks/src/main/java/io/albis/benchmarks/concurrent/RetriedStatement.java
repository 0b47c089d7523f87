package io.albis.benchmarks.concurrent;

import io.albis.benchmarks.server.BenchmarkServer;
import io.trino.testing.QueryFailedException;

import static java.util.Objects.requireNonNull;

/**
 * Runs statements, and repeats those that conflict with others, as a user would.
 */
record RetriedStatement(BenchmarkServer server, String catalog, String schema)
{
    public RetriedStatement
    {
        requireNonNull(server, "server is null");
        requireNonNull(catalog, "catalog is null");
        requireNonNull(schema, "schema is null");
    }

    /**
     * Runs a statement until it succeeds, and adds its time to the latencies.
     *
     * @param deadline value of the nano clock after which a conflict is final
     * @throws QueryFailedException if the statement fails for another reason than a conflict, or after the deadline
     */
    public void run(String sql, Latencies latencies, long deadline)
    {
        long start = System.nanoTime();
        while (true) {
            try {
                server.run(catalog, schema, sql);
                latencies.add(System.nanoTime() - start);
                return;
            }
            catch (QueryFailedException e) {
                if (!server.isConflict(e)) {
                    throw e;
                }
                latencies.addConflict();
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
        }
    }
}
