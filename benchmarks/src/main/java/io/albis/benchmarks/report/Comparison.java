package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableSet;
import io.albis.benchmarks.measure.Contender;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Ratio;
import io.albis.benchmarks.measure.Results;

import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Renders the figure of the best peer divided by the figure of Albis. A ratio above 1 means that Albis has the lower
 * figure.
 */
class Comparison
{
    private final Results results;
    private final List<String> subjects;
    private final List<String> peers;

    public Comparison(Results results, List<? extends Contender> contenders)
    {
        this.results = requireNonNull(results, "results is null");
        this.subjects = Contender.labels(contenders, true);
        this.peers = Contender.labels(contenders, false);
    }

    public List<String> headers(String prefix)
    {
        return subjects().stream()
                .map(subject -> "%sbest peer / %s".formatted(prefix, subject))
                .collect(toImmutableList());
    }

    public List<String> ofTask(Figure figure, String task)
    {
        return of(figure, ImmutableSet.of(task));
    }

    public List<String> ofTotal(Figure figure)
    {
        return of(figure, results.comparableTasks());
    }

    /**
     * Returns the ratios for the given tasks combined.
     */
    public List<String> of(Figure figure, Set<String> tasks)
    {
        return subjects().stream()
                .map(subject -> compare(figure, tasks, subject))
                .collect(toImmutableList());
    }

    private String compare(Figure figure, Set<String> tasks, String subject)
    {
        String peer = results.least(figure, tasks, peers).orElseThrow();
        Ratio ratio = results.ratio(figure, tasks, peer, subject);
        return Double.isFinite(ratio.median()) ? "%s %s".formatted(ratio, peer) : "-";
    }

    private List<String> subjects()
    {
        return peers.isEmpty() ? List.of() : subjects;
    }
}
