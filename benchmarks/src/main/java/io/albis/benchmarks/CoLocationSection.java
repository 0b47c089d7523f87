package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.Section;

import java.util.Map;

import static io.albis.benchmarks.measure.Figure.ELAPSED;

/**
 * Compares the same tables on HDFS with and without the block placement policy.
 */
final class CoLocationSection
{
    private static final Figure FIGURE = ELAPSED;

    private CoLocationSection() {}

    /**
     * Renders the ratios.
     *
     * @param pairs maps each catalog whose row groups are together to the one in which they are not
     */
    public static Section render(Results results, Map<String, String> pairs)
    {
        MarkdownTable table = new MarkdownTable(ImmutableList.of("what", "with the policy", "elapsed with it (s)", "elapsed without it (s)", "without / with"));
        for (String task : results.comparableTasks()) {
            pairs.forEach((together, apart) -> table.add(ImmutableList.of(
                    task,
                    together,
                    FIGURE.unit().format(results.median(FIGURE, task, together)),
                    FIGURE.unit().format(results.median(FIGURE, task, apart)),
                    results.ratio(FIGURE, ImmutableSet.of(task), apart, together).toString())));
        }
        return new Section(
                "With and without the policy",
                "The elapsed time without the policy divided by the time with it.\nMore than 1 means that the policy saves time.\n\n" + table.render());
    }
}
