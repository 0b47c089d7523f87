package io.albis.format.scan;

/**
 * Counters of the work that a reader has done.
 *
 * @param segments number of segments that were scanned
 * @param segmentsSkipped number of segments that were skipped because no row of them can match, or because all their
 *         rows are deleted
 * @param runsSkipped number of runs of the scanned segments that were skipped for the same reasons
 * @param rows number of rows of the scanned segments, including deleted rows; for a scan without columns, the number of
 *         rows that were returned
 * @param rowsSkipped number of rows of the scanned segments that did not match or are deleted
 * @param rowsExcluded number of rows that indexes excluded before any column was read; their segments and runs count as
 *         skipped if all of their rows are excluded, and otherwise their rows do
 * @param bytesRead number of bytes read from storage
 * @param reads number of requests to storage
 * @param readNanos time spent waiting for storage, in nanoseconds
 */
public record ReaderMetrics(long segments, long segmentsSkipped, long runsSkipped, long rows, long rowsSkipped, long rowsExcluded, long bytesRead, long reads, long readNanos) {}
