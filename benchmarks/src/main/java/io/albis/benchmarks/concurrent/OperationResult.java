package io.albis.benchmarks.concurrent;

import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.trino.testing.QueryFailedException;

/**
 * The measurements of all clients for one kind of statements.
 */
class OperationResult
{
    private final Latencies latencies = new Latencies();
    private QueryFailedException failure;
    private QueryFailedException lastConflict;

    public Latencies latencies()
    {
        return latencies;
    }

    /**
     * Records a statement that did not succeed. Only the first failure is kept.
     *
     * @param conflict whether the time was over before the statement was repeated often enough
     */
    public synchronized void fail(QueryFailedException e, boolean conflict)
    {
        if (conflict) {
            lastConflict = e;
        }
        else if (failure == null) {
            failure = e;
        }
    }

    public synchronized boolean hasFailed()
    {
        return failure != null;
    }

    /**
     * Returns the figures of all statements.
     *
     * @throws QueryFailedException if a statement failed, or if none succeeded
     */
    public synchronized Figures figures(long elapsed)
    {
        if (failure != null) {
            throw failure;
        }
        if (latencies.count() == 0 && lastConflict != null) {
            throw lastConflict;
        }
        // The rows cannot be compared, because each catalog runs as many statements as it can
        return latencies.addTo(new Figures(ImmutableMap.of(Figure.RESULT_ROWS, 1L, Figure.ELAPSED, elapsed)), elapsed);
    }
}
