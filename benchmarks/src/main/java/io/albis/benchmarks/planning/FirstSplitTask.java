package io.albis.benchmarks.planning;

import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkServer;

import static io.albis.benchmarks.planning.ManyRowGroups.SCHEMA;
import static java.util.Objects.requireNonNull;

/**
 * Measures the time from the call of the client until the first split of a query is opened, with the time until all
 * splits are.
 *
 * @param firstQuery whether the catalog has read nothing of the table before
 * @param server a server whose catalogs of Albis are those of {@link FirstSplitPlugin}
 */
public record FirstSplitTask(PlannedQuery query, int rowGroups, boolean firstQuery, FirstSplit firstSplit, BenchmarkServer server)
        implements Task
{
    public FirstSplitTask
    {
        requireNonNull(query, "query is null");
        requireNonNull(firstSplit, "firstSplit is null");
        requireNonNull(server, "server is null");
    }

    /**
     * Returns the name without the number of row groups.
     */
    public String series()
    {
        return firstQuery ? query + ", first query" : query.toString();
    }

    @Override
    public String name()
    {
        return "%s, %,d".formatted(series(), rowGroups);
    }

    @Override
    public Figures run(String catalog)
    {
        if (firstQuery) {
            server.execute(catalog, SCHEMA, "CALL system.flush_metadata_cache()");
        }
        String sql = query.sql(rowGroups);
        firstSplit.reset();
        long start = System.nanoTime();
        Figures figures = server.measure(catalog, SCHEMA, sql);
        long first = firstSplit.nanoTime().orElseThrow(() -> new IllegalStateException("No split was opened: " + sql));
        return figures.with(Figure.FIRST_SPLIT, first - start);
    }
}
