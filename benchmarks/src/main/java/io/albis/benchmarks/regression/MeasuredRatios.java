package io.albis.benchmarks.regression;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Measurement;
import io.albis.benchmarks.measure.Ratio;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.report.SavedReport;

import java.util.List;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.MoreCollectors.onlyElement;
import static java.util.Objects.requireNonNull;

/**
 * The ratios of one report, which has one contender of Albis and at least one peer.
 */
public final class MeasuredRatios
{
    private static final String ALBIS = "albis";

    private final String name;
    private final Results results;
    private final String subject;
    private final List<String> peers;

    /**
     * Prepares the ratios.
     *
     * @param name what all names of the ratios start with
     * @throws IllegalArgumentException if a task has failed, or if the report has no measurements
     */
    public MeasuredRatios(String name, SavedReport report)
    {
        this.name = requireNonNull(name, "name is null");
        this.results = new Results(report.measurements());
        checkArgument(results.failures().isEmpty(), "%s failed: %s", name, results.failures());
        checkArgument(!results.tasks().isEmpty(), "%s has no measurements", name);
        List<String> contenders = report.measurements().stream()
                .map(Measurement::catalog)
                .distinct()
                .collect(toImmutableList());
        this.subject = contenders.stream()
                .filter(contender -> contender.startsWith(ALBIS))
                .collect(onlyElement());
        this.peers = contenders.stream()
                .filter(contender -> !contender.startsWith(ALBIS))
                .collect(toImmutableList());
        checkArgument(!peers.isEmpty(), "%s has no peers", name);
    }

    /**
     * Returns the ratio of each task to the best peer of this task.
     */
    public List<NamedRatio> ofTasks(Figure figure)
    {
        return results.tasks().stream()
                .map(task -> new NamedRatio("%s: %s, %s".formatted(name, task, figure.title()), toBestPeer(figure, ImmutableSet.of(task))))
                .collect(toImmutableList());
    }

    /**
     * Returns the ratio of all tasks together to the peer that is best in total.
     */
    public List<NamedRatio> ofTotal(Figure figure)
    {
        return ImmutableList.of(new NamedRatio("%s: %s".formatted(name, figure.title()), toBestPeer(figure, results.tasks())));
    }

    private Ratio toBestPeer(Figure figure, Set<String> tasks)
    {
        String peer = results.least(figure, tasks, peers).orElseThrow();
        return results.ratio(figure, tasks, peer, subject);
    }
}
