/**
 * Writes of rows. Page sinks on workers write row groups and send fragments to the coordinator, which commits them, and
 * handles retries and rollback. Start with {@link TableWrites}.
 */
package io.albis.trino.write;
