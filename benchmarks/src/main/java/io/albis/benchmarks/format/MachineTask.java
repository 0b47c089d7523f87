package io.albis.benchmarks.format;

import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.format.jmh.JmhRunner;
import io.albis.benchmarks.format.jmh.JmhRunner.Score;
import io.albis.benchmarks.format.jmh.MachineBenchmark;
import io.albis.benchmarks.format.jmh.MachineLimit;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;

import java.nio.file.Path;

import static java.util.Objects.requireNonNull;

/**
 * Measures one of the limits of the machine.
 */
record MachineTask(MachineLimit limit, Path data, JmhRunner jmh)
        implements Task
{
    /**
     * The contender in the results of this task, where other tasks have a format.
     */
    static final String CONTENDER = "machine";

    MachineTask
    {
        requireNonNull(limit, "limit is null");
        requireNonNull(data, "data is null");
        requireNonNull(jmh, "jmh is null");
    }

    @Override
    public String name()
    {
        return limit.title();
    }

    @Override
    public boolean appliesTo(String contender)
    {
        return contender.equals(CONTENDER);
    }

    @Override
    public Figures run(String contender)
    {
        Score score = jmh.run(MachineBenchmark.class, ImmutableMap.of("data", data.toString(), "limit", limit.name()));
        return new Figures(ImmutableMap.of(
                Figure.OPERATION, Math.round(score.nanos()),
                Figure.OPERATION_CPU, Math.round(score.cpuNanos()),
                Figure.VALUE_RATE, Math.round(limit.work() * 1e9 / score.nanos())));
    }
}
