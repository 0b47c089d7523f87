/**
 * Metadata operations of the connector. Each transaction has its own set of operations and sees one version of each
 * table. The operations list, create, change, and drop schemas and tables. They delegate statistics, filter pushdown,
 * and writes to other packages. Start with {@link AlbisMetadata}.
 */
package io.albis.trino.metadata;
