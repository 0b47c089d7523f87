package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.chart.Chart;
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
import io.albis.benchmarks.server.ServerOptions;
import io.albis.benchmarks.server.SessionProperty;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
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

    /**
     * Checks the catalogs before they are measured.
     */
    protected void check(BenchmarkServer server, TpcdsTables tables, Progress progress) {}

    protected abstract List<Task> tasks(BenchmarkServer server, TpcdsTables tables);

    protected abstract ReportContent content();

    /**
     * Returns the schema of the measured tables.
     */
    protected String schema()
    {
        return options.scale.schema();
    }

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
        List<BenchmarkCatalog> local = catalogs().stream()
                .filter(BenchmarkCatalog::hasLocalTables)
                .collect(toImmutableList());
        return local.isEmpty() ? ImmutableList.of() : ImmutableList.of(DiskSection.render(local, options.data, schema()));
    }

    protected ServerOptions serverOptions()
    {
        return ServerOptions.DEFAULT.withSessionProperties(options.sessionProperties);
    }

    /**
     * Returns what else a reader of the report has to know about the measurement.
     */
    protected Map<String, String> conditions()
    {
        return ImmutableMap.of();
    }

    @Override
    public Integer call()
    {
        checkSessionProperties();
        // Created before the server, which redirects standard output to its log
        Progress progress = new Progress(System.out);
        Map<String, String> environment = ImmutableMap.<String, String>builder()
                .putAll(Environment.describe())
                .put("command", CommandLines.describe(spec, options.data, options.output))
                .put("servers", serverOptions().describe())
                .putAll(conditions())
                .buildOrThrow();
        ReportFile file = new ReportFile(options.output, environment, Chart.drawing(options.output, content().charts()));
        Rounds rounds = new Rounds(options.warmUps, options.runs, options.resume ? file.earlier() : ImmutableList.of(), progress);
        if (rounds.isComplete()) {
            progress.print("Already measured: " + options.output);
            return 0;
        }
        try (BenchmarkServer server = BenchmarkServer.start(catalogs(), options.data, serverOptions())) {
            TpcdsTables tables = new TpcdsTables(server, options.scale, progress);
            prepare(server, tables, progress);
            check(server, tables, progress);
            rounds.run(
                    tasks(server, tables),
                    names(catalogs()),
                    measurements -> file.write(measurements, described -> report(new Results(measurements), described)));
        }
        progress.print("Written: " + options.output);
        return 0;
    }

    private void checkSessionProperties()
    {
        List<String> names = names(catalogs());
        for (SessionProperty property : options.sessionProperties) {
            property.catalog().filter(catalog -> !names.contains(catalog)).ifPresent(catalog -> {
                throw new ParameterException(spec.commandLine(), "A session property is for the catalog '%s', which is not one of %s".formatted(catalog, names));
            });
        }
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
