package io.albis.table.version;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.table.model.ManifestEntry;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * The row groups that a version has in one of its manifests.
 *
 * @param rowGroups the row groups
 */
public record ManifestRowGroups(ManifestEntry manifest, List<RowGroup> rowGroups)
{
    public ManifestRowGroups
    {
        requireNonNull(manifest, "manifest is null");
        rowGroups = ImmutableList.copyOf(rowGroups);
    }
}
