package io.albis.benchmarks.report;

import io.albis.benchmarks.measure.Figure;

import java.util.function.UnaryOperator;

import static java.util.Objects.requireNonNull;

/**
 * Tasks that are also shown together.
 *
 * @param title of the section
 * @param figure that is shown of them
 * @param group name of the group of a task
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
