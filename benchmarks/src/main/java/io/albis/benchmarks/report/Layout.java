package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Figure;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * What a report shows.
 *
 * @param totals figures of all tasks together
 * @param columns figures of each task
 * @param compared figures of each task that are set against those of the best peer
 */
public record Layout(String title, String task, List<Figure> totals, List<Figure> columns, List<Figure> compared)
{
    public Layout
    {
        requireNonNull(title, "title is null");
        requireNonNull(task, "task is null");
        totals = ImmutableList.copyOf(totals);
        columns = ImmutableList.copyOf(columns);
        compared = ImmutableList.copyOf(compared);
    }
}
