/**
 * The scan of ALTER TABLE EXECUTE optimize, which replaces row groups where it reads them. Start with {@link
 * OptimizePageSource}.
 */
package io.albis.trino.optimize;
