package io.albis.benchmarks.report;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.SetMultimap;
import io.albis.benchmarks.measure.Contender;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Measurement;
import io.albis.benchmarks.measure.Median;
import io.albis.benchmarks.measure.Results;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.CHECKSUM;
import static io.albis.benchmarks.measure.Figure.RESULT_CHECKSUM;
import static io.albis.benchmarks.measure.Figure.RESULT_ROWS;
import static java.util.Objects.requireNonNull;

/**
 * Renders results as Markdown.
 */
public class Report
{
    private static final int LINE_LENGTH = 120;

    private final ReportContent content;
    private final List<Contender> contenders;
    private final Results results;
    private final Comparison comparison;

    public Report(ReportContent content, List<? extends Contender> contenders, Results results)
    {
        this.content = requireNonNull(content, "content is null");
        this.contenders = ImmutableList.copyOf(contenders);
        this.results = requireNonNull(results, "results is null");
        this.comparison = new Comparison(results, contenders);
    }

    public String render(Map<String, String> environment)
    {
        return render(environment, ImmutableList.of());
    }

    /**
     * Renders the report.
     *
     * @param others sections that are not based on the results
     */
    public String render(Map<String, String> environment, List<Section> others)
    {
        StringBuilder text = new StringBuilder("# %s\n\n".formatted(content.title()));
        environment.forEach((name, value) -> text.append("- %s: %s\n".formatted(name, value)));
        text.append("\nMedians of %s rounds. In each round, the catalogs take turns.\nA ratio has the minimum and maximum of the rounds in brackets. More than 1 means that Albis took less.\n"
                .formatted(results.rounds()));
        if (!content.totals().isEmpty()) {
            text.append(new Section("Together", totals().render()).render());
        }
        new BestPeers(results, contenders).render(content.task(), content.compared()).ifPresent(section -> text.append(section.render()));
        content.grouping().ifPresent(grouping -> text.append(new Section(grouping.title(), groups(grouping).render()).render()));
        others.forEach(section -> text.append(section.render()));
        new Verdicts(results, contenders).render(content.task(), content.judged()).ifPresent(section -> text.append(section.render()));
        text.append(new Section("Each", tasks().render()).render());
        text.append(new Section("Checks", checks()).render());
        return text.toString();
    }

    private MarkdownTable totals()
    {
        ImmutableList.Builder<String> header = ImmutableList.<String>builder().add("figure");
        contenders.forEach(contender -> header.add(contender.label()));
        MarkdownTable table = new MarkdownTable(header.addAll(comparison.headers("")).build());
        for (Figure figure : content.totals()) {
            ImmutableList.Builder<String> row = ImmutableList.<String>builder().add(figure.header());
            contenders.forEach(contender -> row.add(figure.unit().format(results.medianTotal(figure, contender.label()))));
            table.add(row.addAll(comparison.ofTotal(figure)).build());
        }
        return table;
    }

    private MarkdownTable groups(Grouping grouping)
    {
        SetMultimap<String, String> groups = LinkedHashMultimap.create();
        results.comparableTasks().forEach(task -> groups.put(grouping.group().apply(task), task));
        ImmutableList.Builder<String> header = ImmutableList.<String>builder().add(content.task());
        contenders.forEach(contender -> header.add("%s %s".formatted(grouping.figure().header(), contender.label())));
        MarkdownTable table = new MarkdownTable(header.addAll(comparison.headers("")).build());
        groups.asMap().forEach((group, tasks) -> {
            Set<String> members = ImmutableSet.copyOf(tasks);
            ImmutableList.Builder<String> row = ImmutableList.<String>builder().add(group);
            contenders.forEach(contender -> row.add(grouping.figure().unit().format(Median.median(results.values(grouping.figure(), members, contender.label())))));
            table.add(row.addAll(comparison.of(grouping.figure(), members)).build());
        });
        return table;
    }

    private MarkdownTable tasks()
    {
        ImmutableList.Builder<String> header = ImmutableList.<String>builder().add(content.task(), RESULT_ROWS.title());
        for (Figure figure : content.columns()) {
            contenders.forEach(contender -> header.add("%s %s".formatted(figure.header(), contender.label())));
        }
        subjects().forEach(subject -> content.albisColumns().forEach(figure -> header.add("%s %s".formatted(figure.header(), subject.label()))));
        content.compared().forEach(figure -> header.addAll(comparison.headers(figure.title() + ": ")));
        MarkdownTable table = new MarkdownTable(header.build());
        results.comparableTasks().forEach(task -> table.add(task(task)));
        return table;
    }

    private List<String> task(String task)
    {
        ImmutableList.Builder<String> row = ImmutableList.<String>builder()
                .add(task, value(RESULT_ROWS, task, contenders.getFirst()));
        for (Figure figure : content.columns()) {
            contenders.forEach(contender -> row.add(value(figure, task, contender)));
        }
        subjects().forEach(subject -> content.albisColumns().forEach(figure -> row.add(value(figure, task, subject))));
        content.compared().forEach(figure -> row.addAll(comparison.ofTask(figure, task)));
        return row.build();
    }

    private List<Contender> subjects()
    {
        return contenders.stream()
                .filter(Contender::isAlbis)
                .collect(toImmutableList());
    }

    private String value(Figure figure, String task, Contender contender)
    {
        return figure.unit().format(results.median(figure, task, contender.label()));
    }

    private String checks()
    {
        StringBuilder text = new StringBuilder();
        Set<String> different = results.tasksWithDifferentRows();
        text.append(different.isEmpty() ? "- All catalogs gave the same number of rows.\n" : "- Not the same number of rows: %s\n".formatted(String.join(", ", different)));
        if (results.has(RESULT_CHECKSUM)) {
            Set<String> wrong = results.tasksWithDifferent(RESULT_CHECKSUM);
            text.append(wrong.isEmpty() ? "- All catalogs gave the same values, where the query determines them.\n" : "- Not the same values: %s\n".formatted(String.join(", ", wrong)));
        }
        if (results.has(CHECKSUM)) {
            Set<String> changed = results.tasksWithDifferent(CHECKSUM);
            text.append(changed.isEmpty() ? "- All tables had the same rows afterward.\n" : "- Not the same rows in the tables afterward: %s\n".formatted(String.join(", ", changed)));
        }
        if (results.failures().isEmpty()) {
            text.append("- Nothing failed.\n");
        }
        for (Measurement measurement : results.failures()) {
            // The JSON has the whole message
            String line = "- Failed, and left out above: %s on %s in round %s: %s".formatted(
                    measurement.task(), measurement.catalog(), measurement.round(), measurement.failure().orElseThrow());
            text.append(Ascii.truncate(line, LINE_LENGTH, "...")).append('\n');
        }
        return text.toString();
    }
}
