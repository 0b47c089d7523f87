/**
 * Error codes of the connector, and the translation of exceptions of the format, of tables, and of storage into Trino
 * exceptions. Start with {@link AlbisErrors}.
 */
package io.albis.trino.error;
