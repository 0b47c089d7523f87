package io.albis.benchmarks.regression;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Ratio;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.SavedReport;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Locale.ENGLISH;

/**
 * Finds the ratios that have become worse. Ratios to peers in the same run can be compared between machines of the same
 * kind, while times cannot.
 *
 * @param tolerance part of the committed median by which a median may be lower, such as 0.1
 */
public record Regression(List<NamedRatio> ratios, Optional<SavedReport> committed, double tolerance)
{
    private static final String SECTION = "Ratios";
    private static final String WHAT = "best peer / Albis";
    private static final String MEDIAN = "median";
    private static final String LEAST = "least";

    public Regression
    {
        ratios = ImmutableList.copyOf(ratios);
        checkArgument(tolerance > 0 && tolerance < 1, "not a tolerance between 0 and 1: %s", tolerance);
    }

    /**
     * Returns the names of the ratios that are worse than the committed ones: their median is lower by more than the
     * tolerance, and lower than that of any committed round. The rounds of some ratios differ by more than the
     * tolerance. Ratios that were not committed, and committed ones that were not measured, are worse, too, because
     * nothing is known about them.
     */
    public List<String> worse()
    {
        Map<String, CommittedRatio> before = committedRatios();
        List<String> worse = new ArrayList<>();
        for (NamedRatio ratio : ratios) {
            if (!before.containsKey(ratio.name()) || isWorse(ratio.ratio(), before.get(ratio.name()))) {
                worse.add(ratio.name());
            }
        }
        before.keySet().stream()
                .filter(name -> ratios.stream().noneMatch(ratio -> ratio.name().equals(name)))
                .forEach(worse::add);
        return ImmutableList.copyOf(worse);
    }

    private boolean isWorse(Ratio ratio, CommittedRatio before)
    {
        return ratio.median() < Math.min(before.median() * (1 - tolerance), before.least());
    }

    private Map<String, CommittedRatio> committedRatios()
    {
        return committed.flatMap(report -> report.section(SECTION).table())
                .map(table -> table.cells().stream().collect(toImmutableMap(row -> row.get(WHAT), row -> new CommittedRatio(Double.parseDouble(row.get(MEDIAN)), Double.parseDouble(row.get(LEAST))))))
                .orElse(ImmutableMap.of());
    }

    private record CommittedRatio(double median, double least) {}

    /**
     * Renders the ratios next to the committed ones. To commit the new ones, the JSON of this report takes the place of
     * the committed file.
     */
    public String render(Map<String, String> environment, int rounds)
    {
        Map<String, CommittedRatio> before = committedRatios();
        List<String> worse = worse();
        StringBuilder text = new StringBuilder("# Ratios to the best peer\n\n");
        environment.forEach((name, value) -> text.append("- %s: %s\n".formatted(name, value)));
        text.append("\nMedians of %s rounds. More than 1 means that Albis took less.\nA ratio is worse if its median is more than %.0f %% below the committed one, and below the least committed one.\n".formatted(rounds, tolerance * 100));
        MarkdownTable table = new MarkdownTable(ImmutableList.of(WHAT, MEDIAN, LEAST, "most", "committed", "committed least", "verdict"));
        for (NamedRatio ratio : ratios) {
            table.add(ImmutableList.of(
                    ratio.name(),
                    format(ratio.ratio().median()),
                    format(ratio.ratio().least()),
                    format(ratio.ratio().most()),
                    before.containsKey(ratio.name()) ? format(before.get(ratio.name()).median()) : "-",
                    before.containsKey(ratio.name()) ? format(before.get(ratio.name()).least()) : "-",
                    worse.contains(ratio.name()) ? "worse" : ""));
        }
        return text.append("\n## %s\n\n".formatted(SECTION)).append(table.render()).toString();
    }

    private static String format(double ratio)
    {
        return String.format(ENGLISH, "%.3f", ratio);
    }
}
