package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.Section;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.SCAN_CPU;

/**
 * Compares each catalog with one that has the same tables after some of their rows were deleted.
 */
final class DeletedSection
{
    private static final List<Figure> FIGURES = ImmutableList.of(ELAPSED, CPU, SCAN_CPU);
    // The goal is that a query takes at most this much of its time before
    private static final double GOAL = 1.1;

    private DeletedSection() {}

    /**
     * Renders the ratios after and before the deletes.
     *
     * @param deleted maps each catalog to the one in which rows were deleted
     */
    public static Section render(Results results, Map<String, String> deleted)
    {
        Set<String> tasks = results.comparableTasks();
        StringBuilder text = new StringBuilder("The figure after the deletes divided by the figure before.\nLess than 1 means that the query takes less after the deletes.\n\n");
        MarkdownTable table = new MarkdownTable(ImmutableList.<String>builder()
                .add("query")
                .addAll(deleted.keySet().stream()
                        .flatMap(catalog -> FIGURES.stream().map(figure -> "%s %s: after / before".formatted(figure.title(), catalog)))
                        .collect(toImmutableList()))
                .build());
        if (!tasks.isEmpty()) {
            deleted.forEach((before, after) -> FIGURES.forEach(figure -> text.append(slower(figure, tasks, results, before, after))));
            table.add(row("all", tasks, results, deleted));
        }
        tasks.forEach(task -> table.add(row(task, ImmutableSet.of(task), results, deleted)));
        return new Section("After and before the deletes", text.append("\n").append(table.render()).toString());
    }

    private static String slower(Figure figure, Set<String> tasks, Results results, String before, String after)
    {
        List<String> slower = tasks.stream()
                .filter(task -> results.ratio(figure, ImmutableSet.of(task), after, before).median() > GOAL)
                .collect(toImmutableList());
        return "- %s, %s: more than 10 %% slower in %s of %s%s\n".formatted(figure.title(), before, slower.size(), tasks.size(), slower.isEmpty() ? "" : ": " + String.join(", ", slower));
    }

    private static List<String> row(String name, Set<String> tasks, Results results, Map<String, String> deleted)
    {
        ImmutableList.Builder<String> row = ImmutableList.<String>builder().add(name);
        deleted.forEach((before, after) -> FIGURES.forEach(figure -> row.add(results.ratio(figure, tasks, after, before).toString())));
        return row.build();
    }
}
