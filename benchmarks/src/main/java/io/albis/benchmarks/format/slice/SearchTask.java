package io.albis.benchmarks.format.slice;

import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.format.jmh.JmhRunner;
import io.albis.benchmarks.format.jmh.JmhRunner.Score;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * Measures the search of one range with any method.
 *
 * @param column the column that is searched
 * @param percent percent of the rows that the range contains
 * @param found number of rows that a search finds, which is checked before the measurement
 */
public record SearchTask(SearchedColumn column, double percent, long found, JmhRunner jmh)
        implements Task
{
    /**
     * The names of the tasks, for a chart with a panel for each column.
     */
    public static final String NAMES = "(?<panel>.* values), (?<x>\\S+) %";

    public SearchTask
    {
        requireNonNull(column, "column is null");
        checkArgument(percent > 0 && percent <= 100, "not a percentage: %s", percent);
        checkArgument(found >= 0, "found is negative");
        requireNonNull(jmh, "jmh is null");
    }

    @Override
    public String name()
    {
        String part = percent == Math.rint(percent) ? Long.toString((long) percent) : Double.toString(percent);
        return String.format(ENGLISH, "%,d values, %s %%", column.bound(), part);
    }

    @Override
    public Figures run(String contender)
    {
        Score score = jmh.run(SearchBenchmark.class, ImmutableMap.of(
                "column", column.name(),
                "method", SearchMethod.valueOf(contender.toUpperCase(ENGLISH)).name(),
                "percent", Double.toString(percent)));
        return new Figures(ImmutableMap.of(
                Figure.RESULT_ROWS, found,
                Figure.OPERATION, Math.round(score.nanos()),
                Figure.OPERATION_CPU, Math.round(score.cpuNanos()),
                Figure.SEARCH_TIME, Math.round(1000 * score.nanos() / column.rows()),
                Figure.ALLOCATED_PER_ROW, Math.round(score.allocatedBytes() / column.rows())));
    }
}
