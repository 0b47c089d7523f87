package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.report.Section;
import io.albis.benchmarks.server.BenchmarkCatalog;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Changes tables of the catalogs whose rows can be changed. The report has no sizes of tables, because the changes
 * determine them.
 */
abstract class ChangingBenchmark
        extends Benchmark
{
    @Override
    protected final List<BenchmarkCatalog> catalogs()
    {
        return options.catalogs.stream()
                .filter(BenchmarkCatalog::canChangeRows)
                .map(this::withDefaults)
                .collect(toImmutableList());
    }

    /**
     * Returns the catalog with the settings that the changes need. By default, all snapshots but the newest one may
     * expire, so that the files of a statement can be removed right after it.
     */
    protected BenchmarkCatalog withDefaults(BenchmarkCatalog catalog)
    {
        return catalog.withDefault("expire-snapshots.min-retention", "0s");
    }

    @Override
    protected final List<Section> others(Results results)
    {
        return ImmutableList.of();
    }
}
