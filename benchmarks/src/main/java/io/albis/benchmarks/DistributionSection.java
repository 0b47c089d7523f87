package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.benchmarks.measure.Contender;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.Section;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Locale.ENGLISH;

/**
 * Renders how the ratios of the queries are distributed, as in Figure 6c of the Albis paper. A total hides that some
 * queries gain much and others nothing.
 */
final class DistributionSection
{
    private static final List<Integer> PERCENTS = ImmutableList.of(0, 10, 25, 50, 75, 90, 100);

    private DistributionSection() {}

    /**
     * Renders the section.
     *
     * @param figures figures whose ratios are shown for each peer
     */
    public static Section render(Results results, List<? extends Contender> contenders, List<Figure> figures)
    {
        MarkdownTable table = new MarkdownTable(ImmutableList.<String>builder()
                .add("ratio")
                .addAll(PERCENTS.stream()
                        .map(percent -> percent + " %")
                        .collect(toImmutableList()))
                .add("queries below 1")
                .build());
        for (String subject : Contender.labels(contenders, true)) {
            for (String peer : Contender.labels(contenders, false)) {
                for (Figure figure : figures) {
                    List<Double> ratios = ratios(results, figure, peer, subject);
                    if (!ratios.isEmpty()) {
                        table.add(row("%s: %s / %s".formatted(figure.title(), peer, subject), ratios));
                    }
                }
            }
        }
        return new Section("Distribution of ratios", "The part of the queries in the header has this ratio or a lower one.\nMore than 1 means that Albis took less.\n\n" + table.render());
    }

    private static List<Double> ratios(Results results, Figure figure, String peer, String subject)
    {
        return results.comparableTasks().stream()
                .map(task -> results.ratio(figure, ImmutableSet.of(task), peer, subject).median())
                .filter(Double::isFinite)
                .sorted()
                .collect(toImmutableList());
    }

    private static List<String> row(String name, List<Double> sorted)
    {
        return ImmutableList.<String>builder()
                .add(name)
                .addAll(PERCENTS.stream()
                        .map(percent -> String.format(ENGLISH, "%.2f", sorted.get(Math.max(1, Math.ceilDiv(sorted.size() * percent, 100)) - 1)))
                        .collect(toImmutableList()))
                .add("%s of %s".formatted(sorted.stream().filter(ratio -> ratio < 1).count(), sorted.size()))
                .build();
    }
}
