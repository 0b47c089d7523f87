/**
 * The scans of ALTER TABLE EXECUTE optimize, regroup, add_index, and drop_index, which write row groups where they read
 * them. Start with {@link OptimizePageSource} and {@link RewritePageSource}.
 */
package io.albis.trino.optimize;
