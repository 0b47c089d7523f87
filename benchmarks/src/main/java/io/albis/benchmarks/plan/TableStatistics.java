package io.albis.benchmarks.plan;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.trino.testing.MaterializedRow;

import java.util.Collection;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Makes sure that all tables have the statistics that their connectors can collect.
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
     * Runs ANALYZE for the tables with columns whose number of distinct values is unknown. Albis collects its
     * statistics with each write and has no ANALYZE.
     *
     * @return the columns whose number is still unknown, as {@code catalog.table.column}
     */
    public List<String> complete(BenchmarkCatalog catalog, String schema, Collection<String> tables)
    {
        ImmutableList.Builder<String> unknown = ImmutableList.builder();
        for (String table : tables) {
            if (!catalog.isAlbis() && !unknown(catalog, schema, table).isEmpty()) {
                progress.print("Analyzing %s in %s".formatted(table, catalog.catalogName()));
                server.execute(catalog.catalogName(), schema, "ANALYZE " + table);
            }
            unknown(catalog, schema, table).forEach(column -> unknown.add("%s.%s.%s".formatted(catalog.catalogName(), table, column)));
        }
        return unknown.build();
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
