/**
 * The first rows of a table in an order, for queries with ORDER BY and LIMIT. The coordinator creates splits in the
 * order of the bounds of their row groups. The splits of a scan share a threshold, which excludes more rows the more of
 * them have been read. Start with {@link TopNPushdown}, then read {@link TopNThreshold}.
 */
package io.albis.trino.topn;
