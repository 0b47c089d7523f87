package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.Section;

import java.util.List;
import java.util.Map;

import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.EXCHANGED;
import static io.albis.benchmarks.measure.Figure.PROCESS_CPU;

/**
 * Compares each catalog with one that has the same tables and does not use their buckets.
 */
final class BucketsSection
{
    private static final List<Figure> RATIOS = ImmutableList.of(ELAPSED, CPU, PROCESS_CPU);

    private BucketsSection() {}

    /**
     * Renders the ratios without and with the buckets.
     *
     * @param unused maps each catalog to the one that does not use the buckets
     */
    public static Section render(Results results, Map<String, String> unused)
    {
        ImmutableList.Builder<String> header = ImmutableList.<String>builder().add("query", "catalog");
        RATIOS.forEach(figure -> header.add(figure.title() + ": without / with"));
        MarkdownTable table = new MarkdownTable(header.add("exchanged without (MB)", "exchanged with (MB)").build());
        for (String task : results.comparableTasks()) {
            unused.forEach((with, without) -> {
                ImmutableList.Builder<String> row = ImmutableList.<String>builder().add(task, with);
                RATIOS.forEach(figure -> row.add(results.ratio(figure, ImmutableSet.of(task), without, with).toString()));
                row.add(EXCHANGED.unit().format(results.median(EXCHANGED, task, without)));
                row.add(EXCHANGED.unit().format(results.median(EXCHANGED, task, with)));
                table.add(row.build());
            });
        }
        return new Section("Without and with buckets", "The figure without the use of buckets divided by the figure with it.\nMore than 1 means that the query takes less with buckets.\n\n" + table.render());
    }
}
