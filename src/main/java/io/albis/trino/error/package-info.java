/**
 * This package reports errors to the engine. It declares the error codes of the connector, and translates the
 * exceptions of the format, of tables, and of storage into Trino exceptions. Start with {@link AlbisErrors}, which
 * does the translation, and see {@link AlbisErrorCode} for the codes.
 */
package io.albis.trino.error;
