package io.albis.trino.split;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.version.ManifestSelection;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;

import static io.albis.trino.error.AlbisErrors.translate;
import static java.util.Objects.requireNonNull;

/**
 * Leaves out row groups that a query with LIMIT does not need, because those before them have enough rows that match.
 *
 * @param rows maximum number of rows that the query needs
 * @param predicate the whole predicate that the reader evaluates, and not a simplified one
 */
record RowLimit(long rows, TupleDomain<AlbisColumn> predicate)
{
    RowLimit
    {
        requireNonNull(predicate, "predicate is null");
    }

    ManifestSelection apply(ManifestSelection selection)
    {
        return translate(() -> {
            List<RowGroup> rowGroups = selection.rowGroups();
            ImmutableList.Builder<RowGroup> needed = ImmutableList.builder();
            int count = 0;
            long remaining = rows;
            while (count < rowGroups.size() && remaining > 0) {
                RowGroup rowGroup = rowGroups.get(count);
                needed.add(rowGroup);
                count++;
                if (StatisticsDomains.containsAll(rowGroup, predicate)) {
                    remaining -= rowGroup.liveRows();
                }
            }
            return new ManifestSelection(needed.build(), selection.manifests(), selection.prunedManifests(), selection.prunedRowGroups() + rowGroups.size() - count);
        });
    }
}
