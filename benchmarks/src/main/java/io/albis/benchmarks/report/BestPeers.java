package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.benchmarks.measure.Contender;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Results;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.math.Stats.meanOf;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * Compares Albis with the best peer for each task, which can be another one for each. This is a stronger opponent than
 * any single peer.
 */
class BestPeers
{
    private final Results results;
    private final List<String> subjects;
    private final List<String> peers;

    public BestPeers(Results results, List<? extends Contender> contenders)
    {
        this.results = requireNonNull(results, "results is null");
        this.subjects = Contender.labels(contenders, true);
        this.peers = Contender.labels(contenders, false);
    }

    /**
     * Renders the ratio of the sums over all tasks, and the geometric mean of the ratios of the tasks.
     *
     * @return the section, or empty if there are fewer than two tasks or no contenders to compare
     */
    public Optional<Section> render(String task, List<Figure> figures)
    {
        Set<String> tasks = results.comparableTasks();
        if (figures.isEmpty() || subjects.isEmpty() || peers.isEmpty() || tasks.size() < 2) {
            return Optional.empty();
        }
        MarkdownTable table = new MarkdownTable(ImmutableList.of("figure", "sum", "geometric mean", "number in the mean"));
        for (Figure figure : figures) {
            for (String subject : subjects) {
                table.add(row(figure, subject, tasks));
            }
        }
        String text = "The figure of the best peer for each %s divided by that of Albis.\nMore than 1 means that Albis took less.\nThe geometric mean is without those for which one of the two figures is zero.\n\n%s";
        return Optional.of(new Section("Against the best peer for each", text.formatted(task, table.render())));
    }

    private List<String> row(Figure figure, String subject, Set<String> tasks)
    {
        double peersTotal = 0;
        double total = 0;
        List<Double> logarithms = new ArrayList<>();
        for (String task : tasks) {
            String peer = results.least(figure, ImmutableSet.of(task), peers).orElseThrow();
            peersTotal = figure.combine(peersTotal, results.median(figure, task, peer));
            total = figure.combine(total, results.median(figure, task, subject));
            double ratio = results.ratio(figure, ImmutableSet.of(task), peer, subject).median();
            if (ratio > 0 && Double.isFinite(ratio)) {
                logarithms.add(Math.log(ratio));
            }
        }
        return ImmutableList.of(
                "%s, %s".formatted(figure.title(), subject),
                total == 0 ? "-" : format(peersTotal / total),
                logarithms.isEmpty() ? "-" : format(Math.exp(meanOf(logarithms))),
                String.valueOf(logarithms.size()));
    }

    private static String format(double ratio)
    {
        return String.format(ENGLISH, "%.2f", ratio);
    }
}
