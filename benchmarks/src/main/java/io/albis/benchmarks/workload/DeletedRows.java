package io.albis.benchmarks.workload;

import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.server.BenchmarkServer;

import static java.util.Objects.requireNonNull;

/**
 * Deletes a fraction of the rows of all tables of a catalog. The rows are the same in every catalog, and scattered over
 * each table.
 */
public record DeletedRows(Fraction fraction, BenchmarkServer server, TpcdsTables tables, Progress progress)
{
    public DeletedRows
    {
        requireNonNull(fraction, "fraction is null");
        requireNonNull(server, "server is null");
        requireNonNull(tables, "tables is null");
        requireNonNull(progress, "progress is null");
    }

    /**
     * Deletes the rows of the tables that still have them. Their catalog is kept for the next benchmark.
     */
    public void delete(String catalog)
    {
        String schema = tables.scale().schema();
        for (String table : tables.names()) {
            String predicate = fraction.predicate(tables.keys(table));
            long rows = (long) server.execute(catalog, schema, "SELECT count(*) FROM %s WHERE %s".formatted(table, predicate)).getOnlyValue();
            if (rows > 0) {
                progress.print("Deleting %s rows of %s in %s".formatted(rows, table, catalog));
                server.execute(catalog, schema, "DELETE FROM %s WHERE %s".formatted(table, predicate));
            }
        }
    }
}
