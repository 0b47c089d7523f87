/**
 * Configuration properties of a catalog, and the session, schema, and table properties that users set in SQL. Each
 * property is declared, described, and checked here. Start with {@link AlbisConfig}.
 */
package io.albis.trino.config;
