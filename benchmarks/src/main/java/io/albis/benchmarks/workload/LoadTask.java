package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.DiskUsage;

import java.nio.file.Path;
import java.util.List;

import static com.google.common.collect.MoreCollectors.onlyElement;
import static java.util.Objects.requireNonNull;

/**
 * Loads tables with CREATE TABLE AS.
 */
public record LoadTask(String name, TpcdsTables tables, List<BenchmarkCatalog> catalogs, Path data)
        implements Task
{
    public LoadTask
    {
        requireNonNull(name, "name is null");
        requireNonNull(tables, "tables is null");
        catalogs = ImmutableList.copyOf(catalogs);
        requireNonNull(data, "data is null");
    }

    @Override
    public Figures run(String catalog)
    {
        BenchmarkCatalog benchmarkCatalog = catalogs.stream()
                .filter(candidate -> candidate.catalogName().equals(catalog))
                .collect(onlyElement());
        String schema = tables.scale().schema();
        tables.drop(name, catalog);
        DiskUsage.removeDropped(benchmarkCatalog, data, schema);
        long before = DiskUsage.bytes(benchmarkCatalog, data, schema);
        Figures figures = tables.load(name, benchmarkCatalog);
        return figures.with(Figure.BYTES_ON_DISK, DiskUsage.bytes(benchmarkCatalog, data, schema) - before);
    }
}
