package io.albis.benchmarks.format.jmh;

import com.google.common.collect.ImmutableMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.profile.LinuxPerfNormProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalDouble;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.Iterables.getOnlyElement;
import static java.util.Objects.requireNonNull;
import static java.util.regex.Pattern.quote;

/**
 * Runs one benchmark with one set of parameters in a separate process, so that previous benchmarks do not affect its
 * compilation.
 *
 * @param threads number of threads that run the benchmark at the same time, each with its own state
 * @param processes number of processes to run one after the other, or zero to run in this process, where the figures
 *         are not reliable
 * @param seconds duration of each iteration
 * @param log file that the output of JMH is written to
 */
public record JmhRunner(int threads, int processes, int warmUpIterations, int iterations, double seconds, Path log)
{
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    // The names of the fields of CpuCounter
    private static final String CPU = "cpuNanos";
    private static final String OPERATIONS = "operations";

    public JmhRunner
    {
        checkArgument(threads > 0, "threads is not positive");
        checkArgument(processes >= 0, "processes is negative");
        checkArgument(warmUpIterations >= 0, "warmUpIterations is negative");
        checkArgument(iterations > 0, "iterations is not positive");
        checkArgument(seconds > 0, "seconds is not positive");
        requireNonNull(log, "log is null");
    }

    /**
     * Returns a runner of several threads.
     */
    public JmhRunner withThreads(int threads)
    {
        return new JmhRunner(threads, processes, warmUpIterations, iterations, seconds, log);
    }

    /**
     * Runs a benchmark.
     *
     * @throws IllegalStateException if the benchmark fails
     */
    public Score run(Class<?> benchmark, Map<String, String> parameters)
    {
        TimeValue time = TimeValue.milliseconds(Math.round(seconds * 1000));
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + quote(benchmark.getName()) + "\\.")
                .threads(threads)
                .forks(processes)
                .warmupIterations(warmUpIterations)
                .warmupTime(time)
                .measurementIterations(iterations)
                .measurementTime(time)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.NORMAL)
                .output(log.toString());
        ImmutableMap.copyOf(parameters).forEach(options::param);
        // perf counts a whole process, so it needs one of its own
        if (processes > 0 && PerfCounters.AVAILABLE) {
            options.addProfiler(LinuxPerfNormProfiler.class, "events=" + PerfCounters.EVENTS);
        }
        RunResult result;
        try {
            result = getOnlyElement(new Runner(options.build()).run());
        }
        catch (RunnerException e) {
            throw new IllegalStateException("%s failed with %s: see %s".formatted(benchmark.getSimpleName(), parameters, log), e);
        }
        Map<String, Result> others = result.getSecondaryResults();
        return new Score(
                median(result.getPrimaryResult()),
                others.get(CPU).getScore() / others.get(OPERATIONS).getScore(),
                median(others.get(ALLOCATED)),
                counter(others, PerfCounters.INSTRUCTIONS),
                counter(others, PerfCounters.CACHE_MISSES));
    }

    private static OptionalDouble counter(Map<String, Result> results, String event)
    {
        Result<?> result = results.get(event);
        return result == null ? OptionalDouble.empty() : OptionalDouble.of(result.getScore());
    }

    private static double median(Result<?> result)
    {
        return result.getStatistics().getPercentile(50);
    }

    /**
     * The result of a benchmark.
     *
     * @param nanos time per operation of each thread, the median of the iterations
     * @param cpuNanos CPU time per operation across all iterations
     * @param allocatedBytes bytes allocated per operation
     * @param instructions instructions per operation, if the machine counts them
     * @param cacheMisses cache misses per operation, if the machine counts them
     */
    public record Score(double nanos, double cpuNanos, double allocatedBytes, OptionalDouble instructions, OptionalDouble cacheMisses) {}
}
