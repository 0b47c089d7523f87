package io.albis.table.version;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.model.ManifestEntry;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;

import static com.google.common.base.Preconditions.checkState;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Reads the manifests of a table. The first piece has as many manifests as a number of row groups needs, and each
 * further one has at least twice as many, which are read at the same time. So a scan of a few row groups reads little,
 * and one of all row groups waits only a few times.
 */
final class ManifestScan
        implements RowGroupPieces
{
    private static final int MAX_MANIFESTS = 32;

    private final AlbisTable table;
    private final List<ManifestEntry> manifests;
    private final long minRowGroups;

    // index of the next manifest
    private int next;
    // how many manifests the next piece has at least
    private int minManifests = 1;

    /**
     * @param minRowGroups number of row groups that each piece has at least, unless it has the maximum number of
     *         manifests or is the last one
     */
    ManifestScan(AlbisTable table, long minRowGroups)
    {
        this.table = requireNonNull(table, "table is null");
        this.manifests = table.version().manifests();
        this.minRowGroups = minRowGroups;
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
        long rowGroups = 0;
        int pruned = 0;
        long prunedRowGroups = 0;
        int end = next;
        while (end < manifests.size() && selected < MAX_MANIFESTS && (selected < minManifests || rowGroups < minRowGroups)) {
            ManifestEntry manifest = manifests.get(end);
            if (manifest.overlaps(predicate)) {
                overlapping.add(end);
                selected++;
                rowGroups += manifest.rowGroups();
            }
            else {
                pruned++;
                prunedRowGroups += manifest.rowGroups();
            }
            end++;
        }
        List<RowGroup> read = table.rowGroups(overlapping.build());
        // after the read, because a caller may try again if it fails
        next = end;
        minManifests = min(2 * selected, MAX_MANIFESTS);
        return new ManifestSelection(read, selected, pruned, prunedRowGroups);
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
