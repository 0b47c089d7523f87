package io.albis.table.version;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.model.ManifestEntry;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
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
    private final AlbisTable table;
    // indexes of the manifests in the version, in the order in which they are read
    private final List<Integer> order;
    private final List<ManifestEntry> manifests;
    private final long minRowGroups;

    // where the next manifest is in the order
    private int next;
    // how many manifests the next piece has at least
    private int minManifests = 1;

    /**
     * @param order indexes of the manifests to read
     * @param minRowGroups number of row groups that each piece has at least, unless it has the maximum number of
     *         manifests or is the last one
     */
    ManifestScan(AlbisTable table, List<Integer> order, long minRowGroups)
    {
        this.table = requireNonNull(table, "table is null");
        this.order = ImmutableList.copyOf(order);
        this.manifests = order.stream()
                .map(table.version().manifests()::get)
                .collect(toImmutableList());
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
                overlapping.add(order.get(end));
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
    public List<ManifestEntry> remaining()
    {
        return manifests.subList(next, manifests.size());
    }

    @Override
    public ManifestSelection skip()
    {
        int pruned = manifests.size() - next;
        long prunedRowGroups = 0;
        for (ManifestEntry manifest : remaining()) {
            prunedRowGroups += manifest.rowGroups();
        }
        next = manifests.size();
        return new ManifestSelection(ImmutableList.of(), 0, pruned, prunedRowGroups);
    }
}
