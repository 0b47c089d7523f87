package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.measure.Rounds;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.CommandLines;
import io.albis.benchmarks.report.Environment;
import io.albis.benchmarks.report.Report;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.report.ReportFile;
import io.albis.benchmarks.report.Section;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Starts the server, runs the tasks, and writes the report after each round.
 */
abstract class Benchmark
        implements Callable<Integer>
{
    @Mixin
    protected BenchmarkOptions options;

    @Spec
    private CommandSpec spec;

    protected abstract void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress);

    protected abstract List<Task> tasks(BenchmarkServer server, TpcdsTables tables);

    protected abstract ReportContent content();

    protected List<BenchmarkCatalog> catalogs()
    {
        return options.catalogs;
    }

    /**
     * Returns the catalogs that the report compares, which may be fewer than those that are measured.
     */
    protected List<BenchmarkCatalog> contenders()
    {
        return catalogs();
    }

    /**
     * Returns sections that are not part of the content.
     *
     * @param results results of all catalogs
     */
    protected List<Section> others(Results results)
    {
        return ImmutableList.of(DiskSection.render(catalogs(), options.data, options.scale.schema()));
    }

    @Override
    public Integer call()
    {
        // Created before the server, which redirects standard output to its log
        Progress progress = new Progress(System.out);
        ReportFile file = new ReportFile(options.output, ImmutableMap.<String, String>builder()
                .putAll(Environment.describe())
                .put("command", CommandLines.describe(spec, options.data, options.output))
                .buildOrThrow());
        try (BenchmarkServer server = BenchmarkServer.start(catalogs(), options.data)) {
            TpcdsTables tables = new TpcdsTables(server, options.scale, progress);
            prepare(server, tables, progress);
            new Rounds(options.warmUps, options.runs, progress).run(
                    tasks(server, tables),
                    names(catalogs()),
                    measurements -> file.write(measurements, environment -> report(new Results(measurements), environment)));
        }
        progress.print("Written: " + options.output);
        return 0;
    }

    private String report(Results results, Map<String, String> environment)
    {
        List<BenchmarkCatalog> contenders = contenders();
        return new Report(content(), contenders, results.of(names(contenders))).render(environment, others(results));
    }

    private static List<String> names(List<BenchmarkCatalog> catalogs)
    {
        return catalogs.stream()
                .map(BenchmarkCatalog::catalogName)
                .collect(toImmutableList());
    }
}
