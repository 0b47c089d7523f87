/**
 * Writes and deletes of rows. Sinks on workers write row groups and deletes files, and send fragments to the
 * coordinator, which commits them, and handles retries and rollback. Start with {@link TableWrites}.
 */
package io.albis.trino.write;
