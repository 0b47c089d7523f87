package io.albis.benchmarks;

import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Measurement;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.measure.Rounds;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.Environment;
import io.albis.benchmarks.report.Layout;
import io.albis.benchmarks.report.RawFigures;
import io.albis.benchmarks.report.Report;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.io.MoreFiles.getNameWithoutExtension;

/**
 * Starts the server, runs the tasks, and writes what came out after each round.
 */
abstract class Benchmark
        implements Callable<Integer>
{
    @Mixin
    protected BenchmarkOptions options;

    @Spec
    private CommandSpec spec;

    protected abstract void prepare(TpcdsTables tables);

    protected abstract List<Task> tasks(BenchmarkServer server, TpcdsTables tables);

    protected abstract Layout layout();

    @Override
    public Integer call()
    {
        // Before the server, which takes over what is printed and makes log messages of it
        Progress progress = new Progress(System.out);
        Map<String, String> environment = environment();
        try (BenchmarkServer server = BenchmarkServer.start(options.data)) {
            TpcdsTables tables = new TpcdsTables(server, options.scale, progress);
            prepare(tables);
            List<String> catalogs = options.catalogs.stream()
                    .map(BenchmarkCatalog::catalogName)
                    .collect(toImmutableList());
            new Rounds(options.warmUps, options.runs, progress)
                    .run(tasks(server, tables), catalogs, measurements -> write(measurements, environment));
        }
        progress.say("Written: " + options.output);
        return 0;
    }

    private Map<String, String> environment()
    {
        return ImmutableMap.<String, String>builder()
                .putAll(Environment.describe())
                .put("command", command())
                .put("load of the machine at the start", Environment.load())
                .buildOrThrow();
    }

    /**
     * Without the folders, which say nothing to others.
     */
    private String command()
    {
        return String.join(" ", spec.commandLine().getParseResult().originalArgs().stream()
                .map(argument -> argument.equals(options.data.toString()) ? "DIR" : argument)
                .map(argument -> argument.equals(options.output.toString()) ? "FILE.md" : argument)
                .collect(toImmutableList()));
    }

    private void write(List<Measurement> measurements, Map<String, String> environment)
    {
        Report report = new Report(layout(), options.catalogs, new Results(measurements));
        Path raw = options.output.resolveSibling(getNameWithoutExtension(options.output) + ".csv");
        try {
            Files.writeString(options.output, report.render(ImmutableMap.<String, String>builder()
                    .putAll(environment)
                    .put("load of the machine at the end", Environment.load())
                    .buildOrThrow()));
            Files.writeString(raw, RawFigures.render(measurements));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
