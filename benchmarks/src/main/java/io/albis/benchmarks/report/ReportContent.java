package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Figure;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The contents of a report.
 *
 * @param totals figures that are reported for all tasks together
 * @param columns figures that are reported for each task
 * @param compared figures of each task that are compared with the best peer
 * @param grouping groups of tasks that are also reported together
 * @param albisColumns figures of each task that only Albis reports
 * @param judged figures of each task for which the report states whether Albis is slower with confidence
 * @param charts charts that are drawn next to the report
 */
public record ReportContent(
        String title,
        String task,
        List<Figure> totals,
        List<Figure> columns,
        List<Figure> compared,
        Optional<Grouping> grouping,
        List<Figure> albisColumns,
        List<Figure> judged,
        List<ChartRule> charts)
{
    public ReportContent
    {
        requireNonNull(title, "title is null");
        requireNonNull(task, "task is null");
        totals = ImmutableList.copyOf(totals);
        columns = ImmutableList.copyOf(columns);
        compared = ImmutableList.copyOf(compared);
        requireNonNull(grouping, "grouping is null");
        albisColumns = ImmutableList.copyOf(albisColumns);
        judged = ImmutableList.copyOf(judged);
        charts = ImmutableList.copyOf(charts);
    }

    public ReportContent(String title, String task, List<Figure> totals, List<Figure> columns, List<Figure> compared)
    {
        this(title, task, totals, columns, compared, Optional.empty(), ImmutableList.of(), ImmutableList.of(), ImmutableList.of());
    }

    public ReportContent withGrouping(Grouping grouping)
    {
        return new ReportContent(title, task, totals, columns, compared, Optional.of(grouping), albisColumns, judged, charts);
    }

    public ReportContent withAlbisColumns(Figure... figures)
    {
        return new ReportContent(title, task, totals, columns, compared, grouping, ImmutableList.copyOf(figures), judged, charts);
    }

    public ReportContent withJudged(Figure... figures)
    {
        return new ReportContent(title, task, totals, columns, compared, grouping, albisColumns, ImmutableList.copyOf(figures), charts);
    }

    public ReportContent withCharts(ChartRule... charts)
    {
        return new ReportContent(title, task, totals, columns, compared, grouping, albisColumns, judged, ImmutableList.copyOf(charts));
    }
}
