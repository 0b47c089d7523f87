package io.albis.benchmarks.server;

import io.albis.benchmarks.measure.Figures;
import io.trino.spi.QueryId;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryFailedException;
import io.trino.testing.ResultWithQueryId;

import java.util.Optional;

/**
 * A coordinator and its workers, which are ready for statements.
 */
interface TrinoServers
        extends AutoCloseable
{
    /**
     * Runs a statement.
     *
     * @throws QueryFailedException if the statement fails
     */
    ResultWithQueryId<MaterializedResult> execute(StatementSession session, String sql);

    /**
     * Returns the figures that the coordinator has for a statement after its end.
     */
    Figures figures(QueryId queryId);

    /**
     * Returns the name of the error with which a statement failed.
     */
    Optional<String> errorName(QueryId queryId);

    /**
     * Returns the plan of a statement as JSON.
     */
    String explain(StatementSession session, String sql);

    /**
     * Returns what all processes of the servers have used so far.
     */
    ProcessUsage usage();

    /**
     * Forgets the heap sizes of earlier garbage collections.
     */
    void resetPeakHeap();

    @Override
    void close();
}
