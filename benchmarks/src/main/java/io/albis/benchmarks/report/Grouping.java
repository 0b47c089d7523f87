package io.albis.benchmarks.report;

import io.albis.benchmarks.measure.Figure;

import java.util.function.UnaryOperator;

import static java.util.Objects.requireNonNull;

/**
 * Groups of tasks that are also reported together.
 *
 * @param title title of the section
 * @param figure the figure that is reported for each group
 * @param group returns the name of the group of a task
 */
public record Grouping(String title, Figure figure, UnaryOperator<String> group)
{
    public Grouping
    {
        requireNonNull(title, "title is null");
        requireNonNull(figure, "figure is null");
        requireNonNull(group, "group is null");
    }
}
