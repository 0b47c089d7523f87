package io.albis.trino.statistics;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableColumn;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.ManifestRowGroups;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

/**
 * The statistics of the rows that a predicate does not prune, of as few parts as possible. The cost of an estimate
 * depends on the number of parts, and a table can have 100,000 row groups.
 * <p>
 * A manifest whose bounds are within the predicate is a part as a whole. Of the others, the row groups are parts that
 * the predicate does not prune, or a sample of them if they are many.
 *
 * @param parts the statistics of the rows
 * @param sampled manifests of which only a sample of the row groups are parts
 */
record SelectedRows(List<RowsStatistics> parts, List<ManifestEntry> sampled)
{
    SelectedRows
    {
        parts = ImmutableList.copyOf(parts);
        sampled = ImmutableList.copyOf(sampled);
    }

    /**
     * Selects the rows of a table.
     *
     * @param pruning predicate that is simple enough to compare it with the bounds of each row group
     * @param predicate the whole predicate, which is no wider
     */
    static SelectedRows of(AlbisTable table, TupleDomain<AlbisColumn> pruning, TupleDomain<AlbisColumn> predicate)
    {
        Set<Integer> columns = table.version().columns().stream()
                .map(TableColumn::id)
                .collect(toImmutableSet());
        ImmutableList.Builder<RowsStatistics> parts = ImmutableList.builder();
        ImmutableList.Builder<ManifestEntry> partly = ImmutableList.builder();
        ImmutableList.Builder<RowGroup> rowGroups = ImmutableList.builder();
        for (ManifestRowGroups selected : table.selectByManifest(pruning)) {
            ManifestEntry manifest = selected.manifest();
            if (hasBounds(manifest, columns) && isWithin(manifest, predicate)) {
                parts.add(new RowsStatistics.OfManifest(manifest, columns));
            }
            else {
                partly.add(manifest);
                rowGroups.addAll(selected.rowGroups());
            }
        }
        SampledStatistics sample = SampledStatistics.of(rowGroups.build(), pruning);
        parts.addAll(sample.parts());
        return new SelectedRows(parts.build(), sample.isComplete() ? ImmutableList.of() : partly.build());
    }

    /**
     * Returns whether the bounds describe all columns. The columns that were added later and the bounds that a version
     * omits because they are too long are known only by row group.
     */
    private static boolean hasBounds(ManifestEntry manifest, Set<Integer> columns)
    {
        return manifest.rows() > 0 && manifest.bounds().columns().stream()
                .map(ColumnStatistics::columnId)
                .collect(toImmutableSet())
                .containsAll(columns);
    }

    /**
     * Returns whether all rows of the manifest match, except those with NaN, which bounds do not cover.
     */
    private static boolean isWithin(ManifestEntry manifest, TupleDomain<AlbisColumn> predicate)
    {
        for (Map.Entry<AlbisColumn, Domain> entry : predicate.getDomains().orElseThrow().entrySet()) {
            AlbisColumn column = entry.getKey();
            Optional<ColumnStatistics> statistics = column.isPart() ? Optional.empty() : manifest.bounds().find(column.id());
            if (statistics.isEmpty() || !entry.getValue().contains(StatisticsDomains.toDomain(statistics.get(), column.type(), manifest.rows()))) {
                return false;
            }
        }
        return true;
    }
}
