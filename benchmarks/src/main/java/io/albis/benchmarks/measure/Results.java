package io.albis.benchmarks.measure;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Comparator.comparingDouble;

/**
 * The measurements of the rounds that count, put together.
 */
public class Results
{
    private final List<Measurement> measurements;

    public Results(Collection<Measurement> measurements)
    {
        this.measurements = measurements.stream()
                .filter(measurement -> !measurement.isWarmUp())
                .collect(toImmutableList());
    }

    /**
     * In the order in which they ran.
     */
    public Set<String> tasks()
    {
        return measurements.stream()
                .map(Measurement::task)
                .collect(toImmutableSet());
    }

    public int rounds()
    {
        return (int) measurements.stream()
                .map(Measurement::round)
                .distinct()
                .count();
    }

    /**
     * Those that succeeded on all catalogs in all rounds. Only they can be compared.
     */
    public Set<String> comparableTasks()
    {
        Set<String> failed = failures().stream()
                .map(Measurement::task)
                .collect(toImmutableSet());
        return tasks().stream()
                .filter(task -> !failed.contains(task))
                .collect(toImmutableSet());
    }

    public List<Measurement> failures()
    {
        return measurements.stream()
                .filter(measurement -> measurement.failure().isPresent())
                .collect(toImmutableList());
    }

    /**
     * Tasks whose results do not have the same number of rows everywhere.
     */
    public Set<String> tasksWithDifferentRows()
    {
        return comparableTasks().stream()
                .filter(task -> measurements.stream()
                        .filter(measurement -> measurement.task().equals(task))
                        .map(measurement -> measurement.figures().orElseThrow().get(Figure.RESULT_ROWS))
                        .distinct()
                        .count() > 1)
                .collect(toImmutableSet());
    }

    public double median(Figure figure, String task, String catalog)
    {
        return Median.median(values(figure, ImmutableSet.of(task), catalog));
    }

    /**
     * The median of what all comparable tasks took in a round.
     */
    public double medianTotal(Figure figure, String catalog)
    {
        return Median.median(values(figure, comparableTasks(), catalog));
    }

    /**
     * How many times one catalog's figure is another's.
     */
    public Ratio ratio(Figure figure, Set<String> tasks, String catalog, String other)
    {
        return Ratio.of(values(figure, tasks, catalog), values(figure, tasks, other));
    }

    /**
     * Whether one catalog is slower than another, by the ratios of the rounds.
     */
    public Verdict verdict(Figure figure, String task, String catalog, String other)
    {
        List<Double> ratios = Ratio.rounds(values(figure, ImmutableSet.of(task), catalog), values(figure, ImmutableSet.of(task), other));
        return new Verdict(Median.median(ratios), Bootstrap.medianInterval(ratios));
    }

    public Optional<String> least(Figure figure, Set<String> tasks, Collection<String> catalogs)
    {
        Comparator<String> comparator = comparingDouble(catalog -> Median.median(values(figure, tasks, catalog)));
        return catalogs.stream().min(comparator);
    }

    /**
     * Of the tasks together, for each round.
     */
    public List<Double> values(Figure figure, Set<String> tasks, String catalog)
    {
        ImmutableList.Builder<Double> values = ImmutableList.builder();
        for (int round = 1; round <= rounds(); round++) {
            int current = round;
            values.add(measurements.stream()
                    .filter(measurement -> measurement.round() == current)
                    .filter(measurement -> measurement.catalog().equals(catalog))
                    .filter(measurement -> tasks.contains(measurement.task()))
                    .mapToDouble(measurement -> measurement.figures().orElseThrow().get(figure))
                    .reduce(0, figure::combine));
        }
        return values.build();
    }
}
