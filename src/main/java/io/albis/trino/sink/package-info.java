/**
 * Writes rows on workers. Sinks write row groups, deletes files, and new instances of column groups for updates in
 * place. They return fragments that describe these files to the coordinator, which commits them. Start with {@link
 * AlbisPageSinkProvider}. Then read {@link AlbisMergeSink}, the sink of DELETE, UPDATE, and MERGE, and {@link
 * InPlaceUpdates}, which decides how rows are updated.
 */
package io.albis.trino.sink;
