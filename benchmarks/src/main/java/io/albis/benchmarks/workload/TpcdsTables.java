package io.albis.benchmarks.workload;

import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static io.albis.benchmarks.server.BenchmarkServer.GENERATOR;
import static java.util.Objects.requireNonNull;

/**
 * The tables of one scale. They are generated once into a catalog that is not measured, because generating them takes
 * longer than any of the measurements. The other catalogs are loaded from that catalog.
 */
public class TpcdsTables
{
    // This table describes the generator and is not part of the benchmark
    private static final String GENERATOR_TABLE = "dbgen_version";

    private final BenchmarkServer server;
    private final TpcdsScale scale;
    private final Progress progress;

    public TpcdsTables(BenchmarkServer server, TpcdsScale scale, Progress progress)
    {
        this.server = requireNonNull(server, "server is null");
        this.scale = requireNonNull(scale, "scale is null");
        this.progress = requireNonNull(progress, "progress is null");
    }

    public TpcdsScale scale()
    {
        return scale;
    }

    public List<String> names()
    {
        return list(GENERATOR, "SHOW TABLES").stream()
                .filter(table -> !table.equals(GENERATOR_TABLE))
                .sorted()
                .collect(toImmutableList());
    }

    public List<String> columns(String table)
    {
        return columns(table, "true");
    }

    /**
     * Returns the columns of type bigint, which contain all keys of the table.
     */
    public List<String> keys(String table)
    {
        return columns(table, "data_type = 'bigint'");
    }

    private List<String> columns(String table, String condition)
    {
        return list(GENERATOR, "SELECT column_name FROM information_schema.columns WHERE table_schema = '%s' AND table_name = '%s' AND %s ORDER BY ordinal_position".formatted(scale, table, condition));
    }

    private List<String> list(String catalog, String sql)
    {
        return server.execute(catalog, scale.schema(), sql).getOnlyColumn()
                .map(String.class::cast)
                .collect(toImmutableList());
    }

    /**
     * Loads all tables that are missing, or that another build has written, and completes the statistics of the peers.
     */
    public void prepare(List<BenchmarkCatalog> catalogs)
    {
        prepareSource();
        List<String> names = names();
        for (BenchmarkCatalog catalog : catalogs) {
            names.forEach(table -> prepareCopy(catalog, table));
        }
    }

    /**
     * Loads a table into the catalogs that do not contain it as this build would write it, and completes the statistics
     * of the peers.
     */
    public void prepare(List<BenchmarkCatalog> catalogs, String table)
    {
        prepareSource(table);
        for (BenchmarkCatalog catalog : catalogs) {
            prepareCopy(catalog, table);
        }
    }

    /**
     * Generates one table of the data that the measured catalogs are loaded from.
     */
    public void prepareSource(String table)
    {
        loader().generate(SOURCE, table, "AS SELECT * FROM %s.%s.%s".formatted(GENERATOR, scale.schema(), table));
    }

    /**
     * Generates the data that the measured catalogs are loaded from.
     */
    public void prepareSource()
    {
        names().forEach(this::prepareSource);
    }

    private void prepareCopy(BenchmarkCatalog catalog, String table)
    {
        loader().load(catalog, table, source(table).copy(), source(table));
        new TableStatistics(server, progress).complete(catalog, scale.schema(), table);
    }

    private TableLoader loader()
    {
        return new TableLoader(server, scale.schema(), progress);
    }

    private SourceTable source(String table)
    {
        return new SourceTable(scale.schema(), table);
    }

    public void drop(String table, String catalog)
    {
        server.execute(catalog, scale.schema(), "CREATE SCHEMA IF NOT EXISTS " + scale.schema());
        server.execute(catalog, scale.schema(), "DROP TABLE IF EXISTS " + table);
    }

    /**
     * Loads a table that does not exist yet from the source catalog.
     */
    public Figures load(String table, BenchmarkCatalog catalog)
    {
        return server.measure(catalog.catalogName(), scale.schema(), TableLoader.copy(server, catalog, table, source(table)));
    }
}
