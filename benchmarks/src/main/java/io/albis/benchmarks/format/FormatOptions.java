package io.albis.benchmarks.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.chart.Chart;
import io.albis.benchmarks.format.jmh.JmhRunner;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Rounds;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.CommandLines;
import io.albis.benchmarks.report.Environment;
import io.albis.benchmarks.report.ReportFile;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The options that all benchmarks of the format alone have in common.
 */
class FormatOptions
{
    @Option(names = "--runs", defaultValue = "5", paramLabel = "N", description = "rounds; in each there is a process for each format; ${DEFAULT-VALUE} if not given")
    private int runs;

    // The compilers of the JVM optimize a reader in several steps. For those with much code, the last steps come after
    // seconds, and must not be part of what counts
    @Option(names = "--warm-up", defaultValue = "10", paramLabel = "N", description = "iterations of each process that do not count; ${DEFAULT-VALUE} if not given")
    private int warmUps;

    @Option(names = "--iterations", defaultValue = "4", paramLabel = "N", description = "iterations of each process that count; ${DEFAULT-VALUE} if not given")
    private int iterations;

    @Option(names = "--seconds", defaultValue = "0.5", paramLabel = "SECONDS", description = "minimum duration of an iteration; ${DEFAULT-VALUE} if not given")
    private double seconds;

    @Option(names = "--processes", defaultValue = "1", paramLabel = "N", hidden = true, description = "0 to measure in this process, to find errors and no figures")
    private int processes;

    @Option(names = CommandLines.RESUME, description = "keep the completed rounds of a run of the same command with the same builds that was interrupted, and run the others")
    private boolean resume;

    @Option(names = "--data", required = true, paramLabel = "DIR", description = "folder of the files; missing ones are created, and all are kept for the next benchmark")
    Path data;

    @Option(names = "--output", required = true, paramLabel = "FILE.md", description = "what to write; the raw figures get the same name with .csv")
    Path output;

    /**
     * Returns the file of the report, and creates the folder of the data.
     *
     * @param check what was checked before the first measurement
     */
    ReportFile reportFile(CommandSpec spec, String check, List<ChartRule> charts)
            throws IOException
    {
        Files.createDirectories(data);
        return new ReportFile(
                output,
                ImmutableMap.<String, String>builder()
                        .putAll(Environment.describe())
                        .put("command", CommandLines.describe(spec, data, output))
                        .put("check", check)
                        .buildOrThrow(),
                Chart.drawing(output, charts));
    }

    Rounds rounds(ReportFile file, Progress progress)
    {
        return new Rounds(0, runs, resume ? file.earlier() : ImmutableList.of(), progress);
    }

    JmhRunner jmh()
    {
        return new JmhRunner(1, processes, warmUps, iterations, seconds, data.resolve("jmh.log"));
    }
}
