package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.Section;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.workload.RowGroupNodes;

import java.util.List;

import static java.util.Locale.ENGLISH;

/**
 * Reports on which DataNodes the row groups of Albis are.
 */
final class RowGroupsSection
{
    private RowGroupsSection() {}

    /**
     * Queries the NameNodes.
     *
     * @param catalogs catalogs on HDFS, of which those of Albis are in the section
     */
    public static Section render(List<BenchmarkCatalog> catalogs, String schema, String table)
    {
        MarkdownTable nodes = new MarkdownTable(ImmutableList.of("catalog", "row groups", "DataNodes", "bytes on the DataNode of the largest file of their row group"));
        for (BenchmarkCatalog catalog : catalogs) {
            if (catalog.isAlbis()) {
                RowGroupNodes rowGroups = RowGroupNodes.of(catalog.remoteFolder() + "/" + schema, table);
                nodes.add(ImmutableList.of(
                        catalog.catalogName(),
                        String.valueOf(rowGroups.rowGroups()),
                        String.valueOf(rowGroups.nodes()),
                        String.format(ENGLISH, "%.0f %%", 100.0 * rowGroups.local() / rowGroups.bytes())));
            }
        }
        return new Section("Where row groups are", nodes.render());
    }
}
