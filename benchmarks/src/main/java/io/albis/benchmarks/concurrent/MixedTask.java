package io.albis.benchmarks.concurrent;

import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;

import static java.util.Objects.requireNonNull;

/**
 * The statements of one kind in a mixed load.
 */
public record MixedTask(Operation operation, MixedLoad load)
        implements Task
{
    public MixedTask
    {
        requireNonNull(operation, "operation is null");
        requireNonNull(load, "load is null");
    }

    @Override
    public String name()
    {
        return operation.toString();
    }

    @Override
    public Figures run(String catalog)
    {
        return load.figures(operation, catalog);
    }
}
