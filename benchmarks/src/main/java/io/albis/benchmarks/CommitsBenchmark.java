package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.concurrent.CommitTask;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;

import static io.albis.benchmarks.measure.Figure.CONFLICTS;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.MEDIAN_LATENCY;
import static io.albis.benchmarks.measure.Figure.PROCESS_CPU;
import static io.albis.benchmarks.measure.Figure.RATE;
import static io.albis.benchmarks.measure.Figure.TAIL_LATENCY;

@Command(name = "commits", description = "Commits per second of writers that insert single rows into one table, when it is new and after many commits; the scale has no effect")
class CommitsBenchmark
        extends ChangingBenchmark
{
    @Option(names = "--writers", split = ",", defaultValue = "1,2,4,8,16", paramLabel = "LIST", description = "how many writers at the same time; ${DEFAULT-VALUE} if not given")
    private List<Integer> writers;

    @Option(names = "--commits", defaultValue = "320", paramLabel = "N", description = "rows that all writers insert together; ${DEFAULT-VALUE} if not given")
    private int commits;

    @Option(names = "--versions", defaultValue = "10000", paramLabel = "N", description = "commits before the first that is measured on the second table; ${DEFAULT-VALUE} if not given")
    private int versions;

    private List<CommitTask> tasks;

    /**
     * Iceberg writes a metadata file with the list of all snapshots for each commit, and keeps them all by default.
     * For 10,000 commits, these would be tens of gigabytes.
     */
    @Override
    protected BenchmarkCatalog withDefaults(BenchmarkCatalog catalog)
    {
        if (catalog.isAlbis()) {
            return catalog;
        }
        return catalog
                .withDefault("delete-after-commit-enabled", "true")
                .withDefault("max-previous-versions", "10");
    }

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        ImmutableList.Builder<CommitTask> builder = ImmutableList.builder();
        for (int before : new int[] {0, versions}) {
            for (int count : writers) {
                builder.add(new CommitTask(before, count, commits, server, progress));
            }
        }
        tasks = builder.build();
        for (BenchmarkCatalog catalog : catalogs()) {
            tasks.forEach(task -> task.prepare(catalog));
        }
    }

    @Override
    protected List<Task> tasks(BenchmarkServer server, TpcdsTables tables)
    {
        return ImmutableList.copyOf(tasks);
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                "Commits of single rows",
                "writers",
                ImmutableList.of(),
                ImmutableList.of(RATE, MEDIAN_LATENCY, TAIL_LATENCY, CONFLICTS, PROCESS_CPU),
                ImmutableList.of(ELAPSED, MEDIAN_LATENCY, TAIL_LATENCY))
                .withJudged(ELAPSED)
                .withCharts(ChartRule.lines(RATE, "Commits of writers at the same time", "writers").withNames("(?<x>\\d+) writers (?<panel>.*)"));
    }
}
