package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.Section;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.DiskUsage;

import java.nio.file.Path;
import java.util.List;

import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static java.util.Locale.ENGLISH;

/**
 * Renders the size on disk of the tables of each catalog, compared with Parquet with Snappy.
 */
final class DiskSection
{
    private DiskSection() {}

    public static Section render(List<BenchmarkCatalog> catalogs, Path data, String schema)
    {
        // This catalog contains the tables as trino-hive writes them, regardless of which catalogs are compared
        long parquet = DiskUsage.bytes(SOURCE, data, schema);
        MarkdownTable table = new MarkdownTable(ImmutableList.of("catalog", "on disk (MB)", "/ Parquet with Snappy"));
        for (BenchmarkCatalog catalog : catalogs) {
            long bytes = DiskUsage.bytes(catalog, data, schema);
            table.add(ImmutableList.of(
                    catalog.catalogName(),
                    Figure.BYTES_ON_DISK.unit().format(bytes),
                    String.format(ENGLISH, "%.2f", (double) bytes / parquet)));
        }
        return new Section("On disk", "All tables of the schema. Parquet with Snappy is what trino-hive writes: %s MB.\n\n%s".formatted(
                Figure.BYTES_ON_DISK.unit().format(parquet),
                table.render()));
    }
}
