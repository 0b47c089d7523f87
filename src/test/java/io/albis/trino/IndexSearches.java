package io.albis.trino;

import io.trino.operator.OperatorStats;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.QueryId;
import io.trino.spi.eventlistener.EventListener;
import io.trino.spi.eventlistener.QueryCompletedEvent;
import io.trino.spi.eventlistener.QueryInputMetadata;
import io.trino.spi.metrics.Metrics;
import io.trino.testing.DistributedQueryRunner;

import java.util.concurrent.atomic.AtomicLong;

import static io.trino.testing.assertions.Assert.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counts the rows that indexes have excluded in all queries and statements of a server. A test of tables with indexes
 * is of no use if its readers decide to scan them.
 */
public final class IndexSearches
        implements EventListener
{
    private static final String EXCLUDED_ROWS = "Albis rows excluded by indexes";

    private final AtomicLong excludedRows = new AtomicLong();

    @Override
    public void queryCompleted(QueryCompletedEvent event)
    {
        for (QueryInputMetadata input : event.getIoMetadata().getInputs()) {
            excludedRows.addAndGet(excludedRows(input.getConnectorMetrics()));
        }
    }

    /**
     * Returns the number of rows that indexes have excluded in one query.
     */
    public static long excludedRows(DistributedQueryRunner queryRunner, QueryId queryId)
    {
        long rows = 0;
        for (OperatorStats operator : queryRunner.getCoordinator().getQueryManager().getFullQueryInfo(queryId).getQueryStats().getOperatorSummaries()) {
            rows += excludedRows(operator.getConnectorMetrics());
        }
        return rows;
    }

    private static long excludedRows(Metrics metrics)
    {
        return metrics.getMetrics().get(EXCLUDED_ROWS) instanceof LongCount rows ? rows.getTotal() : 0;
    }

    /**
     * Returns the number of rows of the queries so far, or fewer, as the server reports a query after its result.
     */
    public long excludedRows()
    {
        return excludedRows.get();
    }

    public void assertSearched()
    {
        assertEventually(() -> assertThat(excludedRows.get()).as("rows that indexes have excluded").isPositive());
    }
}
