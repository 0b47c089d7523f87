package io.albis.table.model;

import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * What a version says of one of its manifests.
 *
 * @param id names the file {@code manifests/<id>} and is repeated in its header
 * @param length of the file, in bytes
 * @param rowGroups how many there are in it, at least one
 * @param rows of all row groups together
 * @param bytes on storage of all row groups together
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
