package io.albis.benchmarks.workload;

import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.trino.testing.MaterializedRow;

import java.util.Collection;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Makes sure that all tables have the statistics that their connectors can collect, so that the optimizer knows as much
 * about the tables of the peers as it can.
 */
public record TableStatistics(BenchmarkServer server, Progress progress)
{
    // Columns of SHOW STATS
    private static final int COLUMN = 0;
    private static final int DISTINCT = 2;

    public TableStatistics
    {
        requireNonNull(server, "server is null");
        requireNonNull(progress, "progress is null");
    }

    /**
     * Runs ANALYZE for a table with columns whose number of distinct values is unknown. Albis collects its statistics
     * with each write and has no ANALYZE.
     */
    public void complete(BenchmarkCatalog catalog, String schema, String table)
    {
        if (!catalog.isAlbis() && !unknown(catalog, schema, table).isEmpty()) {
            progress.print("Analyzing %s in %s".formatted(table, catalog.catalogName()));
            server.execute(catalog.catalogName(), schema, "ANALYZE " + table);
        }
    }

    /**
     * Returns the columns whose number of distinct values is unknown, as {@code catalog.table.column}.
     */
    public List<String> unknown(BenchmarkCatalog catalog, String schema, Collection<String> tables)
    {
        return tables.stream()
                .flatMap(table -> unknown(catalog, schema, table).stream()
                        .map(column -> "%s.%s.%s".formatted(catalog.catalogName(), table, column)))
                .collect(toImmutableList());
    }

    private List<String> unknown(BenchmarkCatalog catalog, String schema, String table)
    {
        return server.execute(catalog.catalogName(), schema, "SHOW STATS FOR " + table).getMaterializedRows().stream()
                .filter(TableStatistics::isUnknown)
                .map(row -> (String) row.getField(COLUMN))
                .collect(toImmutableList());
    }

    /**
     * Returns whether the number of distinct values is unknown in a row of a column. The last row is that of the table.
     */
    private static boolean isUnknown(MaterializedRow row)
    {
        return row.getField(COLUMN) != null && row.getField(DISTINCT) == null;
    }
}
