package io.albis.benchmarks.format;

import io.albis.benchmarks.format.jmh.JmhRunner;
import io.albis.benchmarks.report.CommandLines;
import picocli.CommandLine.Option;

import java.nio.file.Path;

/**
 * The options that all benchmarks of the format alone have in common.
 */
class FormatOptions
{
    @Option(names = "--runs", defaultValue = "5", paramLabel = "N", description = "rounds; in each there is a process for each format; ${DEFAULT-VALUE} if not given")
    int runs;

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
    boolean resume;

    @Option(names = "--data", required = true, paramLabel = "DIR", description = "folder of the files; missing ones are created, and all are kept for the next benchmark")
    Path data;

    @Option(names = "--output", required = true, paramLabel = "FILE.md", description = "what to write; the raw figures get the same name with .csv")
    Path output;

    JmhRunner jmh()
    {
        return new JmhRunner(1, processes, warmUps, iterations, seconds, data.resolve("jmh.log"));
    }
}
