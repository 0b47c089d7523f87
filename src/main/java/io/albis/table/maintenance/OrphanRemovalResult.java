package io.albis.table.maintenance;

/**
 * The orphans that a removal has found and deleted.
 *
 * @param manifests number of manifests of all versions that have not expired
 * @param namedFiles number of files that these versions name
 * @param scannedFiles number of files in the folder of the table
 * @param deletedFiles number of files that were deleted
 * @param deletedBytes size of the files that were deleted
 */
public record OrphanRemovalResult(long manifests, long namedFiles, long scannedFiles, long deletedFiles, long deletedBytes) {}
