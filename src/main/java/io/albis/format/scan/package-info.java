/**
 * Reads one row group. A scan reads the metadata, prunes segments by their statistics, plans requests, decodes the
 * columns of the filters, selects rows, and reads the other columns only where rows are selected. Start with {@link
 * RowGroupReader}, which returns the batches of rows. Then read {@link SegmentScan}, the state of a scan, {@link
 * SegmentFilter}, which selects the rows of a segment, and {@link ScanFilters}, the filters that it applies.
 */
package io.albis.format.scan;
