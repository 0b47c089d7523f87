/**
 * Reads one row group: metadata, pruning of segments, requests, filters, and selections. Start with
 * {@link RowGroupReader}.
 */
package io.albis.format.scan;
