package io.albis.benchmarks.result;

import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.QueryTask;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryFailedException;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Checks that catalogs return the same rows, so that none is fast only because it returns something else.
 */
public class SameRows
{
    private final BenchmarkServer server;
    private final Progress progress;

    public SameRows(BenchmarkServer server, Progress progress)
    {
        this.server = requireNonNull(server, "server is null");
        this.progress = requireNonNull(progress, "progress is null");
    }

    /**
     * Runs each query on each catalog and compares the rows by value.
     *
     * @param tasks tasks, of which only the queries are compared
     * @throws IllegalStateException if a query does not return the same rows in two of the catalogs
     */
    public void check(List<Task> tasks, List<BenchmarkCatalog> catalogs)
    {
        if (catalogs.size() < 2) {
            return;
        }
        for (Task task : tasks) {
            if (task instanceof QueryTask query) {
                check(query, catalogs);
            }
        }
    }

    private void check(QueryTask query, List<BenchmarkCatalog> catalogs)
    {
        DeterminedRows determined = new DeterminedRows(query.sql());
        Optional<CatalogResult> expected = Optional.empty();
        for (BenchmarkCatalog catalog : catalogs) {
            Optional<CatalogResult> actual = run(query, catalog.catalogName());
            if (actual.isEmpty()) {
                continue;
            }
            if (expected.isEmpty()) {
                expected = actual;
                continue;
            }
            String name = expected.get().catalog();
            determined.difference(name, expected.get().result(), catalog.catalogName(), actual.get().result()).ifPresent(difference -> {
                throw new IllegalStateException("%s does not return the same rows in %s and %s: %s".formatted(query.name(), name, catalog.catalogName(), difference));
            });
        }
        progress.print("%-8s %-32s %s".formatted("compared", query.name(), expected.map(result -> "rows " + result.result().getRowCount()).orElse("failed in all catalogs")));
    }

    /**
     * Runs a query. One that fails will also fail when it is measured, and the report lists it.
     */
    private Optional<CatalogResult> run(QueryTask query, String catalog)
    {
        try {
            return Optional.of(new CatalogResult(catalog, server.rows(catalog, query.schema(), query.sql())));
        }
        catch (QueryFailedException e) {
            progress.print("%s fails in %s, and its rows are not compared: %s".formatted(query.name(), catalog, e.getMessage()));
            return Optional.empty();
        }
    }

    private record CatalogResult(String catalog, MaterializedResult result) {}
}
