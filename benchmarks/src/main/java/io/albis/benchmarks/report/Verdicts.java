package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.benchmarks.measure.Contender;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.measure.Verdict;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * States for each task whether Albis is slower than the best of its peers.
 */
class Verdicts
{
    private final Results results;
    private final List<String> subjects;
    private final List<String> peers;
    // Caches the verdicts, because each requires thousands of samples
    private final Map<Judged, Verdict> verdicts = new HashMap<>();

    public Verdicts(Results results, List<? extends Contender> contenders)
    {
        this.results = requireNonNull(results, "results is null");
        this.subjects = Contender.labels(contenders, true);
        this.peers = Contender.labels(contenders, false);
    }

    /**
     * Renders the verdicts of a task.
     *
     * @return the section, or empty if there are no contenders to compare
     */
    public Optional<Section> render(String task, List<Figure> figures)
    {
        if (figures.isEmpty() || peers.isEmpty() || results.comparableTasks().isEmpty()) {
            return Optional.empty();
        }
        List<Comparison> comparisons = new ArrayList<>();
        for (String subject : subjects) {
            for (Figure figure : figures) {
                comparisons.add(new Comparison(subject, figure));
            }
        }
        StringBuilder text = new StringBuilder("The figure of Albis divided by that of the best peer, with the 95 %% bootstrap interval of the median over the %s rounds.\n".formatted(results.rounds()));
        text.append("Less than 1 means that Albis took less.\nA query is surely slower if its whole interval is above 1.05, and surely faster if it is below 1/1.05.\n\n");
        for (Comparison comparison : comparisons) {
            text.append(summary(comparison));
        }
        MarkdownTable table = new MarkdownTable(ImmutableList.<String>builder()
                .add(task)
                .addAll(comparisons.stream()
                        .map(comparison -> "%s: %s / best peer".formatted(comparison.figure().title(), comparison.subject()))
                        .collect(toImmutableList()))
                .build());
        for (String name : results.comparableTasks()) {
            table.add(ImmutableList.<String>builder()
                    .add(name)
                    .addAll(comparisons.stream()
                            .map(comparison -> cell(comparison, name))
                            .collect(toImmutableList()))
                    .build());
        }
        return Optional.of(new Section("Slower or faster", text.append("\n").append(table.render()).toString()));
    }

    private String summary(Comparison comparison)
    {
        List<String> slower = new ArrayList<>();
        List<String> faster = new ArrayList<>();
        for (String task : results.comparableTasks()) {
            Verdict verdict = verdict(comparison, task);
            if (verdict.isSurelySlower()) {
                slower.add(task);
            }
            else if (verdict.isSurelyFaster()) {
                faster.add(task);
            }
        }
        return "- %s, %s: surely faster %s, surely slower %s%s\n".formatted(
                comparison.figure().title(),
                comparison.subject(),
                faster.size(),
                slower.size(),
                slower.isEmpty() ? "" : ": " + String.join(", ", slower));
    }

    private String cell(Comparison comparison, String task)
    {
        Verdict verdict = verdict(comparison, task);
        String text = String.format(ENGLISH, "%.2f %s %s", verdict.ratio(), verdict.interval(), peer(comparison, task));
        return verdict.isSurelySlower() ? "**%s**".formatted(text) : text;
    }

    private Verdict verdict(Comparison comparison, String task)
    {
        return verdicts.computeIfAbsent(
                new Judged(comparison, task),
                _ -> results.verdict(comparison.figure(), task, comparison.subject(), peer(comparison, task)));
    }

    private String peer(Comparison comparison, String task)
    {
        return results.least(comparison.figure(), ImmutableSet.of(task), peers).orElseThrow();
    }

    private record Comparison(String subject, Figure figure) {}

    private record Judged(Comparison comparison, String task) {}
}
