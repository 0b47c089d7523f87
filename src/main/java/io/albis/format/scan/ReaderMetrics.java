package io.albis.format.scan;

/**
 * What a reader did so far.
 *
 * @param segments that were looked into
 * @param segmentsSkipped that were not, because no row in them can match
 * @param rows of the segments that were looked into
 * @param rowsSkipped of these, how many did not match
 * @param bytesRead from storage
 * @param reads requests to storage
 * @param readNanos spent waiting for storage
 */
public record ReaderMetrics(long segments, long segmentsSkipped, long rows, long rowsSkipped, long bytesRead, long reads, long readNanos) {}
