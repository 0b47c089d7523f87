/**
 * Sorts the rows of a writer that do not fit into its memory. They become sorted sequences in temporary files, which
 * are merged at the end. Start with {@link SpilledSequences}, which writes and merges the sequences. {@link RowSorter}
 * defines the order.
 */
package io.albis.trino.sort;
