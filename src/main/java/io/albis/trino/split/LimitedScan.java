package io.albis.trino.split;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.partition.RowGroupPredicate;
import io.albis.table.version.ManifestSelection;
import io.albis.table.version.RowGroupPieces;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Leaves out row groups that a query with LIMIT does not need, because others have enough rows that match. If the row
 * groups of a piece of which all rows match have enough rows, only these are read.
 */
final class LimitedScan
        implements RowGroupPieces
{
    private final RowGroupPieces scan;
    private final RowGroupPredicate filter;

    // number of rows that the query still needs
    private long remaining;

    /**
     * @param rows maximum number of rows that the query needs
     * @param filter the whole predicate that the reader evaluates, and not a simplified one
     */
    LimitedScan(RowGroupPieces scan, long rows, RowGroupPredicate filter)
    {
        this.scan = requireNonNull(scan, "scan is null");
        this.filter = requireNonNull(filter, "filter is null");
        this.remaining = rows;
    }

    @Override
    public boolean isFinished()
    {
        return scan.isFinished();
    }

    @Override
    public ManifestSelection next(TupleDomain<AlbisColumn> predicate)
    {
        if (remaining <= 0) {
            return scan.skip();
        }
        ManifestSelection selection = scan.next(predicate);
        List<RowGroup> needed = needed(selection.rowGroups());
        ManifestSelection skipped = remaining <= 0 ? scan.skip() : ManifestSelection.NONE;
        return new ManifestSelection(
                needed,
                selection.manifests(),
                selection.prunedManifests() + skipped.prunedManifests(),
                selection.prunedRowGroups() + skipped.prunedRowGroups() + selection.rowGroups().size() - needed.size());
    }

    private List<RowGroup> needed(List<RowGroup> rowGroups)
    {
        ImmutableList.Builder<RowGroup> decided = ImmutableList.builder();
        ImmutableList.Builder<RowGroup> undecided = ImmutableList.builder();
        for (RowGroup rowGroup : rowGroups) {
            if (!filter.containsAll(rowGroup)) {
                undecided.add(rowGroup);
                continue;
            }
            decided.add(rowGroup);
            remaining -= rowGroup.liveRows();
            if (remaining <= 0) {
                return decided.build();
            }
        }
        return decided.addAll(undecided.build()).build();
    }

    @Override
    public ManifestSelection skip()
    {
        return scan.skip();
    }
}
