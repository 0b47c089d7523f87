package io.albis.benchmarks.report;

import io.albis.benchmarks.measure.Figure;

import java.util.Locale;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/**
 * Which figures of a report a chart shows, and how.
 *
 * @param section title of the section whose table has the figures
 * @param tasks what the tasks are, as the name of their axis
 * @param names the names of the tasks: a group {@code x} for the position on this axis, and one named {@code panel} for
 *         the panel, if there are several next to each other
 * @param note what the reader has to know besides what the report states; may be empty
 */
public record ChartRule(Kind kind, String section, Figure figure, String title, String tasks, Pattern names, String note)
{
    private static final String TASKS = "Each";
    private static final Pattern WHOLE_NAMES = Pattern.compile("(?<x>.*)(?<panel>)");

    public enum Kind
    {
        /**
         * A line for each contender, over the tasks.
         */
        LINES,
        /**
         * For each task, a bar for each contender.
         */
        BARS,
        /**
         * A bar for each row of a table that has one row for each contender.
         */
        ROWS,
        /**
         * A bar for each contender, for all tasks together.
         */
        TOTALS,
        /**
         * For each task, a point for each contender: its figure divided by that of the first contender.
         */
        RATIOS,
        /**
         * The share of the tasks that do not exceed such a ratio.
         */
        DISTRIBUTION,
        /**/
    }

    public ChartRule
    {
        requireNonNull(kind, "kind is null");
        requireNonNull(section, "section is null");
        requireNonNull(figure, "figure is null");
        requireNonNull(title, "title is null");
        requireNonNull(tasks, "tasks is null");
        requireNonNull(names, "names is null");
        requireNonNull(note, "note is null");
    }

    private ChartRule(Kind kind, String section, Figure figure, String title, String tasks)
    {
        this(kind, section, figure, title, tasks, WHOLE_NAMES, "");
    }

    public static ChartRule lines(Figure figure, String title, String tasks)
    {
        return new ChartRule(Kind.LINES, TASKS, figure, title, tasks);
    }

    public static ChartRule bars(Figure figure, String title)
    {
        return new ChartRule(Kind.BARS, TASKS, figure, title, "");
    }

    public static ChartRule rows(String section, Figure figure, String title)
    {
        return new ChartRule(Kind.ROWS, section, figure, title, "");
    }

    public static ChartRule totals(Figure figure, String title)
    {
        return new ChartRule(Kind.TOTALS, "Together", figure, title, "");
    }

    public static ChartRule ratios(Figure figure, String title, String tasks)
    {
        return new ChartRule(Kind.RATIOS, TASKS, figure, title, tasks);
    }

    public static ChartRule distribution(Figure figure, String title, String tasks)
    {
        return new ChartRule(Kind.DISTRIBUTION, TASKS, figure, title, tasks);
    }

    public ChartRule withSection(String section)
    {
        return new ChartRule(kind, section, figure, title, tasks, names, note);
    }

    public ChartRule withNames(String names)
    {
        return new ChartRule(kind, section, figure, title, tasks, Pattern.compile(names), note);
    }

    public ChartRule withNote(String note)
    {
        return new ChartRule(kind, section, figure, title, tasks, names, note);
    }

    /**
     * Returns the name of the chart among those of the same report, which is a part of the name of its file.
     */
    public String name()
    {
        return "%s-%s".formatted(figure, kind).toLowerCase(Locale.ENGLISH).replace('_', '-');
    }
}
