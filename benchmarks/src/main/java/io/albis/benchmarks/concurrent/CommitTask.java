package io.albis.benchmarks.concurrent;

import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

/**
 * Writers that insert single rows into one table.
 *
 * @param versions number of versions that the table has before; 0 for a new table
 * @param commits number of rows that all writers insert together
 */
public record CommitTask(int versions, int writers, int commits, BenchmarkServer server, Progress progress)
        implements Task
{
    public CommitTask
    {
        checkArgument(versions >= 0, "versions is negative");
        checkArgument(writers > 0, "writers is not positive");
        checkArgument(commits > 0, "commits is not positive");
        requireNonNull(server, "server is null");
        requireNonNull(progress, "progress is null");
    }

    @Override
    public String name()
    {
        return "%s writers %s".formatted(writers, versions == 0 ? "on a new table" : "after %s commits".formatted(versions));
    }

    /**
     * Creates the table with many versions, unless it exists and this build has written it.
     */
    public void prepare(BenchmarkCatalog catalog)
    {
        if (versions > 0) {
            table().prepare(catalog, versions, progress);
        }
    }

    private CommitTable table()
    {
        return new CommitTable(server, versions == 0 ? "new_table" : "versions_" + versions);
    }

    @Override
    public Figures run(String catalog)
    {
        CommitTable table = table();
        if (versions == 0) {
            table.replace(catalog);
        }
        long rows = table.rows(catalog);
        Latencies latencies = new Latencies();
        long processCpu = server.processCpuNanos();
        long start = System.nanoTime();
        table.commit(catalog, writers, commits, latencies);
        long elapsed = System.nanoTime() - start;
        processCpu = server.processCpuNanos() - processCpu;
        long added = table.rows(catalog) - rows;
        checkState(added == commits, "%s commits added %s rows in %s", commits, added, catalog);
        return latencies.addTo(new Figures(ImmutableMap.of(
                Figure.RESULT_ROWS, added,
                Figure.ELAPSED, elapsed,
                Figure.PROCESS_CPU, processCpu)), elapsed);
    }
}
