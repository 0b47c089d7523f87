package io.albis.table.model;

import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A reference from a version to one of its manifests.
 *
 * @param id id of the manifest, which is the name of the file {@code manifests/<id>} and is repeated in its header
 * @param length length of the file in bytes, positive
 * @param rowGroups number of row groups in the manifest, positive
 * @param rows total number of rows in all its row groups
 * @param bytes total size of all its row groups on storage, in bytes
 */
public record ManifestEntry(UUID id, long length, int rowGroups, long rows, long bytes)
{
    public ManifestEntry
    {
        requireNonNull(id, "id is null");
        checkArgument(length > 0, "length is not positive: %s", length);
        checkArgument(rowGroups > 0, "rowGroups is not positive: %s", rowGroups);
        checkArgument(rows >= 0, "rows is negative: %s", rows);
        checkArgument(bytes >= 0, "bytes is negative: %s", bytes);
    }
}
