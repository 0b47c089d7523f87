package io.albis.table.version;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;

import java.util.List;

/**
 * The row groups of those manifests whose bounds do not exclude a predicate.
 *
 * @param rowGroups row groups of the selected manifests
 * @param manifests number of selected manifests
 * @param prunedManifests number of manifests that were not read
 * @param prunedRowGroups number of row groups in those
 */
public record ManifestSelection(List<RowGroup> rowGroups, int manifests, int prunedManifests, long prunedRowGroups)
{
    /**
     * Nothing selected, and nothing pruned.
     */
    public static final ManifestSelection NONE = new ManifestSelection(ImmutableList.of(), 0, 0, 0);

    public ManifestSelection
    {
        rowGroups = ImmutableList.copyOf(rowGroups);
    }
}
