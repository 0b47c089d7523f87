package io.albis.benchmarks.tpch;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.IndexCosts;
import io.albis.benchmarks.workload.SourceTable;
import io.albis.benchmarks.workload.TableLoader;
import io.albis.benchmarks.workload.TableStatistics;
import io.albis.benchmarks.workload.TpcdsScale;

import java.util.List;

import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static io.albis.benchmarks.server.BenchmarkServer.TPCH_GENERATOR;
import static java.util.Objects.requireNonNull;

/**
 * The eight tables of one scale. Their schema is not that of the tables of TPC-DS, because both have a table {@code
 * customer}.
 */
public class TpchTables
{
    /**
     * The largest table, with 6 million rows for each gigabyte of the scale. Its rows are in the order of their orders,
     * which is not that of their dates.
     */
    public static final String LINEITEM = "lineitem";

    private static final List<String> TABLES = ImmutableList.of("customer", LINEITEM, "nation", "orders", "part", "partsupp", "region", "supplier");

    private final BenchmarkServer server;
    private final TpcdsScale scale;

    public TpchTables(BenchmarkServer server, TpcdsScale scale)
    {
        this.server = requireNonNull(server, "server is null");
        this.scale = requireNonNull(scale, "scale is null");
    }

    public static String schema(TpcdsScale scale)
    {
        return "tpch_" + scale.schema();
    }

    /**
     * Returns the names of the tables, which are the same at each scale.
     */
    public static List<String> names()
    {
        return TABLES;
    }

    /**
     * Generates the tables into the catalog that the others are loaded from.
     */
    public void prepareSource(Progress progress)
    {
        TableLoader loader = new TableLoader(server, schema(scale), progress);
        for (String table : TABLES) {
            loader.generate(SOURCE, table, "AS SELECT * FROM %s.%s.%s".formatted(TPCH_GENERATOR, scale.schema(), table));
        }
    }

    /**
     * Loads the tables that a catalog does not have, and completes its statistics.
     *
     * @param indexed columns of the largest table that get an index; empty if the connector has none
     */
    public void prepare(BenchmarkCatalog catalog, List<String> indexed, Progress progress)
    {
        TableLoader loader = new TableLoader(server, schema(scale), progress);
        TableStatistics statistics = new TableStatistics(server, progress);
        for (String table : TABLES) {
            String properties = table.equals(LINEITEM) && !indexed.isEmpty() ? IndexCosts.property(indexed) : "";
            SourceTable source = new SourceTable(schema(scale), table);
            loader.load(catalog, table, "%s %s".formatted(properties, source.copy()), source);
            statistics.complete(catalog, schema(scale), table);
        }
    }
}
