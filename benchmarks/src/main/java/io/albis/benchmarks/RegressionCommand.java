package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Measurement;
import io.albis.benchmarks.regression.MeasuredRatios;
import io.albis.benchmarks.regression.NamedRatio;
import io.albis.benchmarks.regression.Regression;
import io.albis.benchmarks.report.CommandLines;
import io.albis.benchmarks.report.Environment;
import io.albis.benchmarks.report.JsonReports;
import io.albis.benchmarks.report.ReportFile;
import io.albis.benchmarks.report.SavedReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import static com.google.common.io.MoreFiles.getNameWithoutExtension;

/**
 * Runs small benchmarks for a few minutes and compares the ratios to the peers with committed ones. Its exit code is 1
 * if a ratio has become worse.
 */
@Command(name = "regression", description = "Compares ratios to the peers with committed ones, in a few minutes, for use before a release")
class RegressionCommand
        implements Callable<Integer>
{
    @Option(names = "--committed", defaultValue = "docs/results/regression.json", paramLabel = "FILE.json", description = "the ratios to compare with; ${DEFAULT-VALUE} if not given")
    private Path committed;

    @Option(names = "--tolerance", defaultValue = "0.1", paramLabel = "PART", description = "how much lower than the committed one the median of a ratio may be; ${DEFAULT-VALUE} if not given")
    private double tolerance;

    @Option(names = "--runs", defaultValue = "3", paramLabel = "N", description = "rounds that count; ${DEFAULT-VALUE} if not given")
    private int runs;

    @Option(names = "--quick", description = "measure a minimum of everything, to check that it works")
    private boolean quick;

    @Option(names = "--data", required = true, paramLabel = "DIR", description = "folder of the tables and files; missing ones are created, and all are kept for the next benchmark")
    private Path data;

    @Option(names = "--output", required = true, paramLabel = "FILE.md", description = "what to write; the reports of the parts go to a folder of the same name with .parts")
    private Path output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
            throws IOException
    {
        PrintWriter messages = spec.commandLine().getOut();
        if (!Files.exists(committed)) {
            messages.println("There are no committed ratios: %s does not exist. This run measures the first ones, and fails.".formatted(committed));
            messages.flush();
        }
        ReportFile file = new ReportFile(
                output,
                ImmutableMap.<String, String>builder()
                        .putAll(Environment.describe())
                        .put("command", CommandLines.describe(spec, data, output))
                        .buildOrThrow(),
                _ -> ImmutableList.of());
        ImmutableList.Builder<NamedRatio> ratios = ImmutableList.builder();
        ratios.addAll(new MeasuredRatios("store_sales", run("compression", format("--scale-factor", quick ? "0.01" : "0.1", "--formats", "albis_block_one_group,parquet_snappy,orc_snappy"))).ofTasks(Figure.OPERATION_CPU));
        ratios.addAll(new MeasuredRatios("type", run("types", format("--rows", quick ? "1000" : "500000", "--types", "varchar_many_values"))).ofTasks(Figure.OPERATION_CPU));
        ratios.addAll(new MeasuredRatios("filter", run("selectivity", format("--rows", quick ? "1000" : "1000000", "--percent", "10", "--formats", "albis_block,parquet_snappy"))).ofTasks(Figure.OPERATION_CPU));
        MeasuredRatios tpcds = new MeasuredRatios("TPC-DS", run("tpcds", "--scale", quick ? "tiny" : "sf1", "--queries", quick ? "3,96" : "3,19,55,96", "--catalogs", "albis,iceberg", "--warm-up", quick ? "0" : "1"));
        ratios.addAll(tpcds.ofTotal(Figure.CPU));
        ratios.addAll(tpcds.ofTotal(Figure.SCAN_CPU));
        ratios.addAll(tpcds.ofTotal(Figure.ALLOCATED));

        Optional<SavedReport> before = Files.exists(committed) ? Optional.of(JsonReports.parse(Files.readString(committed))) : Optional.empty();
        Regression regression = new Regression(ratios.build(), before, tolerance);
        file.write(ImmutableList.<Measurement>of(), environment -> regression.render(environment, runs));
        List<String> worse = regression.worse();
        messages.println(before.isEmpty() ? firstRatios() : result(worse));
        messages.flush();
        return worse.isEmpty() ? 0 : 1;
    }

    private String result(List<String> worse)
    {
        return worse.isEmpty() ? "No ratio is worse than the committed one." : "Worse than the committed ratios: %s. See %s".formatted(String.join("; ", worse), output);
    }

    /**
     * Returns what to do if there is nothing to compare with, because a check that always fails is of no use.
     */
    private String firstRatios()
    {
        return """
               Nothing was compared: there is no %1$s. The ratios of this build are in %2$s.
               If the machine was idle, and this build is as fast as it should be, commit them, so that the next check compares with them:

                   cp %3$s %1$s

               Then write docs/benchmarks.md with the command docs, which docs/benchmarks.md describes.""".formatted(committed, output, output.resolveSibling(getNameWithoutExtension(output) + ".json"));
    }

    private String[] format(String... arguments)
    {
        ImmutableList.Builder<String> all = ImmutableList.<String>builder().add(arguments);
        if (quick) {
            all.add("--warm-up", "0", "--iterations", "1", "--seconds", "0.001", "--processes", "0");
        }
        else {
            // As many iterations of the warm-up as in the benchmarks themselves, but shorter ones
            all.add("--warm-up", "10", "--iterations", "3", "--seconds", "0.2");
        }
        return all.build().toArray(String[]::new);
    }

    private SavedReport run(String benchmark, String... arguments)
            throws IOException
    {
        Path parts = output.resolveSibling(getNameWithoutExtension(output) + ".parts");
        Files.createDirectories(parts);
        Path report = parts.resolve(benchmark + ".md");
        int exitCode = Benchmarks.commandLine().execute(ImmutableList.<String>builder()
                .add(benchmark, "--runs", quick ? "1" : Integer.toString(runs), "--data", data.toString(), "--output", report.toString())
                .add(arguments)
                .build()
                .toArray(String[]::new));
        if (exitCode != 0) {
            throw new IllegalStateException("The benchmark %s failed".formatted(benchmark));
        }
        return JsonReports.parse(Files.readString(parts.resolve(benchmark + ".json")));
    }
}
