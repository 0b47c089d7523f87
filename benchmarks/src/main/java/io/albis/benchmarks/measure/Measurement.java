package io.albis.benchmarks.measure;

import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The outcome of one execution of a task on one catalog.
 *
 * @param round round number starting at 1; lower numbers are warm-up rounds
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
