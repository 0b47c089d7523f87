/**
 * Searches the indexes of a row group for the rows that match the predicates of a scan. It counts the rows and bytes
 * first, and reads positions only if this is expected to take less than reading the columns. Start with {@link
 * io.albis.format.search.IndexSearch}, then {@link io.albis.format.search.SearchCandidates}, which chooses the indexes.
 */
package io.albis.format.search;
