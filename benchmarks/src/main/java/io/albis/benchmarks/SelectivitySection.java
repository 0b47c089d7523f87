package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.Section;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.tpch.SelectiveQuery;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.BYTES_READ;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.SCAN_CPU;
import static java.util.Comparator.comparingDouble;
import static java.util.Locale.ENGLISH;

/**
 * Renders the queries with a predicate on {@code lineitem} in the order of the fraction of rows that it leaves, and
 * compares Albis with each of its peers.
 */
final class SelectivitySection
{
    private static final List<Figure> FIGURES = ImmutableList.of(ELAPSED, SCAN_CPU, BYTES_READ);

    private SelectivitySection() {}

    public static Section render(List<SelectiveQuery> queries, List<BenchmarkCatalog> catalogs, Results results)
    {
        ImmutableList.Builder<String> header = ImmutableList.<String>builder().add("query", "predicate on lineitem", "rows (%)");
        for (Figure figure : FIGURES) {
            catalogs.forEach(catalog -> header.add("%s (%s) %s".formatted(figure.title(), figure.unit().symbol(), catalog.catalogName())));
            forEachPair(catalogs, (albis, peer) -> header.add("%s: %s / %s".formatted(figure.title(), peer, albis)));
        }
        MarkdownTable table = new MarkdownTable(header.build());
        queries.stream()
                .filter(query -> results.comparableTasks().contains(query.name()))
                .sorted(comparingDouble(SelectiveQuery::percent))
                .forEach(query -> table.add(row(query, catalogs, results)));
        return new Section("By the fraction of rows", "The figures are those of the whole query, with all tables that it reads.\n\n" + table.render());
    }

    private static List<String> row(SelectiveQuery query, List<BenchmarkCatalog> catalogs, Results results)
    {
        ImmutableList.Builder<String> row = ImmutableList.<String>builder()
                .add(query.name(), "`%s`".formatted(query.predicate()), String.format(ENGLISH, "%.2f", query.percent()));
        for (Figure figure : FIGURES) {
            catalogs.forEach(catalog -> row.add(figure.unit().format(results.median(figure, query.name(), catalog.catalogName()))));
            forEachPair(catalogs, (albis, peer) -> row.add(results.ratio(figure, ImmutableSet.of(query.name()), peer, albis).toString()));
        }
        return row.build();
    }

    private interface Pair
    {
        void accept(String albis, String peer);
    }

    private static void forEachPair(List<BenchmarkCatalog> catalogs, Pair pair)
    {
        List<BenchmarkCatalog> peers = catalogs.stream()
                .filter(catalog -> !catalog.isAlbis())
                .collect(toImmutableList());
        for (BenchmarkCatalog catalog : catalogs) {
            if (catalog.isAlbis()) {
                peers.forEach(peer -> pair.accept(catalog.catalogName(), peer.catalogName()));
            }
        }
    }
}
