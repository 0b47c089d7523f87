package io.albis.table.version;

import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.model.ManifestEntry;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;

import static com.google.common.base.Preconditions.checkState;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Reads the manifests of a table. The first piece is that of a single manifest, and each further one has twice as many,
 * which are read at the same time. So a scan of a few row groups reads little, and one of all row groups waits only a
 * few times.
 */
final class ManifestScan
        implements RowGroupPieces
{
    private static final int MAX_MANIFESTS = 32;

    private final AlbisTable table;
    private final List<ManifestEntry> manifests;

    // index of the next manifest
    private int next;
    // how many manifests the next piece has
    private int count = 1;

    ManifestScan(AlbisTable table)
    {
        this.table = requireNonNull(table, "table is null");
        this.manifests = table.version().manifests();
    }

    @Override
    public boolean isFinished()
    {
        return next == manifests.size();
    }

    @Override
    public ManifestSelection next(TupleDomain<AlbisColumn> predicate)
    {
        checkState(!isFinished(), "the scan is finished");
        ImmutableList.Builder<Integer> overlapping = ImmutableList.builder();
        int selected = 0;
        int pruned = 0;
        long prunedRowGroups = 0;
        while (next < manifests.size() && selected < count) {
            ManifestEntry manifest = manifests.get(next);
            if (manifest.overlaps(predicate)) {
                overlapping.add(next);
                selected++;
            }
            else {
                pruned++;
                prunedRowGroups += manifest.rowGroups();
            }
            next++;
        }
        count = min(2 * count, MAX_MANIFESTS);
        return new ManifestSelection(table.rowGroups(overlapping.build()), selected, pruned, prunedRowGroups);
    }

    @Override
    public ManifestSelection skip()
    {
        int pruned = manifests.size() - next;
        long prunedRowGroups = 0;
        for (ManifestEntry manifest : manifests.subList(next, manifests.size())) {
            prunedRowGroups += manifest.rowGroups();
        }
        next = manifests.size();
        return new ManifestSelection(ImmutableList.of(), 0, pruned, prunedRowGroups);
    }
}
