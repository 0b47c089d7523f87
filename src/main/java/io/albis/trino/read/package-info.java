/**
 * Page sources, which read splits on workers, and the resources that they share: the metadata cache, the read-ahead
 * threads, and the statistics for monitoring. The file format decodes the data. Start with {@link
 * AlbisPageSourceProvider}, which creates an {@link AlbisPageSource} for each split.
 */
package io.albis.trino.read;
