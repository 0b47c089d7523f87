package io.albis.table.maintenance;

/**
 * The files that an expiry has deleted.
 *
 * @param versions number of versions that were replaced by stubs
 * @param rowGroups number of row groups
 * @param columnGroups number of column groups of row groups that remain
 * @param deletesFiles number of files with deleted rows
 * @param manifests number of manifests
 */
public record ExpiryResult(long versions, long rowGroups, long columnGroups, long deletesFiles, long manifests)
{
    static final ExpiryResult NOTHING = new ExpiryResult(0, 0, 0, 0, 0);

    ExpiryResult plus(ExpiryResult other)
    {
        return new ExpiryResult(versions + other.versions, rowGroups + other.rowGroups, columnGroups + other.columnGroups, deletesFiles + other.deletesFiles, manifests + other.manifests);
    }
}
