package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Median;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.DiskUsage;
import io.albis.benchmarks.workload.IndexCost.LoadedTable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Measures what indexes cost. Each index gets a table with only its column, because the files do not tell how large a
 * part of them is. The tables with and without the index are loaded in turn, and dropped afterward.
 */
public class IndexCosts
{
    private static final String TABLE = "loaded";
    // They have few values, so their indexes are small in comparison with those of keys
    private static final List<String> COLUMNS_OF_FEW_VALUES = ImmutableList.of("ss_store_sk", "ss_quantity", "ss_sold_date_sk");

    private final BenchmarkServer server;
    private final TpcdsScale scale;
    private final Path data;
    private final String schema;
    private final int runs;

    /**
     * Creates a measurement.
     *
     * @param runs how often each table is loaded
     */
    public IndexCosts(BenchmarkServer server, TpcdsScale scale, Path data, int runs)
    {
        this.server = requireNonNull(server, "server is null");
        this.scale = requireNonNull(scale, "scale is null");
        this.data = requireNonNull(data, "data is null");
        this.schema = scale.schema() + "_indexes";
        checkArgument(runs > 0, "runs is not positive");
        this.runs = runs;
    }

    /**
     * Returns the table property for columns with an index.
     */
    public static String property(List<String> columns)
    {
        return columns.stream()
                .map("'%s'"::formatted)
                .collect(joining(", ", "WITH (indexed_by = ARRAY[", "])"));
    }

    /**
     * Measures the indexes of {@link LookupTable}, those of some columns with few values, and the whole table.
     */
    public List<IndexCost> measure(BenchmarkCatalog catalog, Progress progress)
    {
        List<String> columns = ImmutableList.<String>builder().addAll(LookupTable.INDEXED).addAll(COLUMNS_OF_FEW_VALUES).build();
        server.execute(catalog.catalogName(), schema, "CREATE SCHEMA IF NOT EXISTS " + schema);
        ImmutableList.Builder<IndexCost> costs = ImmutableList.builder();
        for (String column : columns) {
            progress.print("Loading %s with and without an index into %s".formatted(column, catalog.catalogName()));
            long distinct = (long) server.execute(catalog.catalogName(), scale.schema(), "SELECT approx_distinct(%s) FROM %s".formatted(column, LookupTable.TABLE)).getOnlyValue();
            costs.add(measure(catalog, column, column, ImmutableList.of(column), distinct));
        }
        progress.print("Loading the table with and without its indexes into " + catalog.catalogName());
        return costs
                .add(measure(catalog, "all columns, with the indexes of " + String.join(", ", LookupTable.INDEXED), "*", LookupTable.INDEXED, 0))
                .build();
    }

    private IndexCost measure(BenchmarkCatalog catalog, String name, String columns, List<String> indexed, long distinct)
    {
        String query = "AS SELECT %s FROM %s.%s.%s".formatted(columns, catalog.catalogName(), scale.schema(), LookupTable.TABLE);
        List<Figures> without = new ArrayList<>();
        List<Figures> with = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            without.add(load(catalog, query));
            with.add(load(catalog, "%s %s".formatted(property(indexed), query)));
        }
        return new IndexCost(catalog.catalogName(), name, distinct, median(without), median(with));
    }

    private Figures load(BenchmarkCatalog catalog, String definition)
    {
        // One that was interrupted may have left its table
        server.execute(catalog.catalogName(), schema, "DROP TABLE IF EXISTS " + TABLE);
        DiskUsage.removeDropped(catalog, data, schema);
        Figures figures = server.measure(catalog.catalogName(), schema, "CREATE TABLE %s %s".formatted(TABLE, definition));
        long bytes = DiskUsage.bytes(catalog, data, schema);
        server.execute(catalog.catalogName(), schema, "DROP TABLE " + TABLE);
        DiskUsage.removeDropped(catalog, data, schema);
        return figures.with(Figure.BYTES_ON_DISK, bytes);
    }

    private static LoadedTable median(List<Figures> loads)
    {
        return new LoadedTable(
                Math.round(median(loads, Figure.BYTES_ON_DISK)),
                median(loads, Figure.ELAPSED),
                median(loads, Figure.CPU));
    }

    private static double median(List<Figures> loads, Figure figure)
    {
        return Median.median(loads.stream()
                .map(figures -> figures.get(figure))
                .collect(toImmutableList()));
    }
}
