package io.albis.benchmarks.workload;

import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;

import java.util.List;

import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static java.util.Objects.requireNonNull;

/**
 * Tables whose rows a query generates. They are generated once, and each catalog is loaded from there, so that all
 * catalogs have the same rows.
 *
 * @param schema schema whose name tells the number of rows, so that tables of several sizes are kept
 */
public record GeneratedTables(BenchmarkServer server, String schema, Progress progress)
{
    public GeneratedTables
    {
        requireNonNull(server, "server is null");
        requireNonNull(schema, "schema is null");
        requireNonNull(progress, "progress is null");
    }

    /**
     * Creates a table in all catalogs that do not have it as this build would write it.
     *
     * @param rows query that generates the rows, without references to other tables
     */
    public void prepare(List<BenchmarkCatalog> catalogs, String table, String rows)
    {
        TableLoader loader = new TableLoader(server, schema, progress);
        loader.generate(SOURCE, table, "AS " + rows);
        SourceTable source = new SourceTable(schema, table);
        for (BenchmarkCatalog catalog : catalogs) {
            loader.load(catalog, table, source.copy(), source);
        }
    }
}
