/**
 * A block placement policy for HDFS that keeps the files of a row group on the same DataNodes. Start with {@link
 * AlbisBlockPlacementPolicy}.
 */
package io.albis.placement;
