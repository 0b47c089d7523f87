package io.albis.benchmarks.threshold;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.SetMultimap;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.Section;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.threshold.Crossing.Point;

import java.util.Collection;
import java.util.List;

import static io.albis.benchmarks.measure.Figure.BYTES_READ;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.threshold.ReadMode.INDEX_PAGES;
import static io.albis.benchmarks.threshold.ReadMode.INDEX_RUNS;
import static io.albis.benchmarks.threshold.ReadMode.SCAN;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Renders the ratios of the modes by the share of rows, and where they cross 1.
 */
public record CrossingTable(List<ThresholdQuery> queries, Results results)
{
    private static final List<Figure> FIGURES = ImmutableList.of(ELAPSED, CPU, BYTES_READ);
    private static final List<Pair> PAIRS = ImmutableList.of(new Pair(INDEX_RUNS, SCAN), new Pair(INDEX_PAGES, SCAN), new Pair(INDEX_PAGES, INDEX_RUNS));

    public CrossingTable
    {
        queries = ImmutableList.copyOf(queries);
        requireNonNull(results, "results is null");
    }

    private record Pair(ReadMode first, ReadMode second) {}

    /**
     * Renders the section.
     *
     * @param catalogs those of Albis whose tables the modes share
     */
    public Section render(List<BenchmarkCatalog> catalogs)
    {
        MarkdownTable table = new MarkdownTable(ImmutableList.of("predicate, columns", "figure", "catalog", "first / second", "ratios by share of rows", "crossing"));
        SetMultimap<String, ThresholdQuery> series = LinkedHashMultimap.create();
        queries.stream()
                .filter(query -> results.comparableTasks().contains(query.name()))
                // Small tables may have no rows in a small part
                .filter(query -> query.share() > 0)
                .forEach(query -> series.put(query.series(), query));
        series.asMap().forEach((name, members) -> {
            for (Figure figure : FIGURES) {
                for (BenchmarkCatalog catalog : catalogs) {
                    PAIRS.forEach(pair -> table.add(row(name, members, figure, catalog, pair)));
                }
            }
        });
        return new Section("From which share of rows on", "A ratio is the figure of the first way to read divided by that of the second one.\nThe crossing is the share of rows from which on all ratios are above 1,\nso the second way takes less. It is interpolated between two measured shares.\n\n" + table.render());
    }

    private List<String> row(String series, Collection<ThresholdQuery> members, Figure figure, BenchmarkCatalog catalog, Pair pair)
    {
        ImmutableList.Builder<Point> points = ImmutableList.builder();
        for (ThresholdQuery query : members) {
            double first = results.median(figure, query.name(), pair.first().of(catalog).catalogName());
            double second = results.median(figure, query.name(), pair.second().of(catalog).catalogName());
            points.add(new Point(query.share(), first / second));
        }
        Crossing crossing = new Crossing(points.build());
        String ratios = crossing.points().stream()
                .map(point -> String.format(ENGLISH, "%.2f %%: %.2f", 100 * point.share(), point.ratio()))
                .collect(joining(", "));
        return ImmutableList.of(series, figure.title(), catalog.catalogName(), "%s / %s".formatted(pair.first(), pair.second()), ratios, crossing.toString());
    }
}
