package io.albis.benchmarks.measure;

import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * How one execution of a task on one catalog went.
 *
 * @param round from 1; those before are for warming up
 */
public record Measurement(String task, String catalog, int round, Optional<Figures> figures, Optional<String> failure)
{
    public Measurement
    {
        requireNonNull(task, "task is null");
        requireNonNull(catalog, "catalog is null");
        requireNonNull(figures, "figures is null");
        requireNonNull(failure, "failure is null");
        checkArgument(figures.isPresent() != failure.isPresent(), "either figures or a failure");
    }

    public static Measurement success(String task, String catalog, int round, Figures figures)
    {
        return new Measurement(task, catalog, round, Optional.of(figures), Optional.empty());
    }

    public static Measurement failure(String task, String catalog, int round, String message)
    {
        return new Measurement(task, catalog, round, Optional.empty(), Optional.of(message));
    }

    public boolean isWarmUp()
    {
        return round < 1;
    }
}
