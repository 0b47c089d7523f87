package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.Section;
import io.albis.benchmarks.workload.IndexCost;

import java.util.List;

import static io.albis.benchmarks.measure.Unit.BYTES;
import static io.albis.benchmarks.measure.Unit.COUNT;
import static io.albis.benchmarks.measure.Unit.NANOSECONDS;
import static java.util.Locale.ENGLISH;

/**
 * Renders the size of indexes, and how long loads take with and without them.
 */
final class IndexSection
{
    private IndexSection() {}

    public static Section render(List<IndexCost> costs, int runs)
    {
        MarkdownTable table = new MarkdownTable(ImmutableList.of(
                "catalog",
                "columns",
                "distinct values",
                "without (MB)",
                "index (MB)",
                "index / without",
                "load without (s)",
                "load with (s)",
                "load with / without",
                "load CPU without (s)",
                "load CPU with (s)",
                "load CPU with / without"));
        for (IndexCost cost : costs) {
            table.add(ImmutableList.of(
                    cost.catalog(),
                    cost.columns(),
                    cost.distinct() == 0 ? "" : COUNT.format(cost.distinct()),
                    BYTES.format(cost.without().bytes()),
                    BYTES.format(cost.indexBytes()),
                    ratio(cost.indexBytes(), cost.without().bytes()),
                    NANOSECONDS.format(cost.without().elapsedNanos()),
                    NANOSECONDS.format(cost.with().elapsedNanos()),
                    ratio(cost.with().elapsedNanos(), cost.without().elapsedNanos()),
                    NANOSECONDS.format(cost.without().cpuNanos()),
                    NANOSECONDS.format(cost.with().cpuNanos()),
                    ratio(cost.with().cpuNanos(), cost.without().cpuNanos())));
        }
        String text = "A table with only the column, or with all columns, loaded with CREATE TABLE AS from the table of the same catalog,\nwithout and with its indexes in turn. Medians of %s loads.\nThe size of an index is the difference of the sizes of the two tables.\n\n%s";
        return new Section("What indexes cost", text.formatted(runs, table.render()));
    }

    private static String ratio(double value, double other)
    {
        return String.format(ENGLISH, "%.2f", value / other);
    }
}
