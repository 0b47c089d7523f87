/**
 * The metadata of row groups and column groups, and the files that contain it, as {@code docs/format.md} describes
 * them. Start with {@link RowGroup}, which is an entry of a manifest, and {@link ColumnGroupMetadata}, which is the
 * content of a {@code metadata} file. {@link StatisticsDomains} decides whether a predicate prunes a row group or a
 * segment.
 */
package io.albis.format.metadata;
