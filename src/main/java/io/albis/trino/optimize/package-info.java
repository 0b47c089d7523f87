/**
 * The scans of ALTER TABLE EXECUTE optimize and regroup, which write row groups where they read them. Start with {@link
 * OptimizePageSource} and {@link RegroupPageSource}.
 */
package io.albis.trino.optimize;
