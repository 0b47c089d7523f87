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
 * Summarizes the measurements, without the warm-up rounds.
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
     * Returns the tasks in the order in which they ran.
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
     * Returns the tasks that succeeded on all catalogs in all rounds. Only these tasks can be compared.
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
     * Returns the tasks whose results have different numbers of rows.
     */
    public Set<String> tasksWithDifferentRows()
    {
        return tasksWithDifferent(Figure.RESULT_ROWS);
    }

    /**
     * Returns the tasks for which a figure that was measured is not the same on all catalogs in all rounds.
     */
    public Set<String> tasksWithDifferent(Figure figure)
    {
        return comparableTasks().stream()
                .filter(task -> measurements.stream()
                        .filter(measurement -> measurement.task().equals(task))
                        .map(measurement -> measurement.figures().orElseThrow())
                        .filter(figures -> figures.has(figure))
                        .map(figures -> figures.get(figure))
                        .distinct()
                        .count() > 1)
                .collect(toImmutableSet());
    }

    public boolean has(Figure figure)
    {
        return measurements.stream()
                .flatMap(measurement -> measurement.figures().stream())
                .anyMatch(figures -> figures.has(figure));
    }

    /**
     * Returns the results of some of the catalogs.
     */
    public Results of(Collection<String> catalogs)
    {
        return new Results(measurements.stream()
                .filter(measurement -> catalogs.contains(measurement.catalog()))
                .collect(toImmutableList()));
    }

    public double median(Figure figure, String task, String catalog)
    {
        return Median.median(values(figure, ImmutableSet.of(task), catalog));
    }

    /**
     * Returns the median over all rounds of the total of all comparable tasks.
     */
    public double medianTotal(Figure figure, String catalog)
    {
        return Median.median(values(figure, comparableTasks(), catalog));
    }

    /**
     * Returns the ratio between the figures of two catalogs.
     */
    public Ratio ratio(Figure figure, Set<String> tasks, String catalog, String other)
    {
        return Ratio.of(values(figure, tasks, catalog), values(figure, tasks, other));
    }

    /**
     * Returns whether one catalog is slower than another, based on the ratios of all rounds.
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
     * Returns the combined figures of the tasks for each round.
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
