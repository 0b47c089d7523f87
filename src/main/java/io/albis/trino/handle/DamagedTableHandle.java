package io.albis.trino.handle;

import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.SchemaTableName;

import static java.util.Objects.requireNonNull;

/**
 * A table that cannot be loaded, as its files are damaged or its storage fails. All that can be done with it is to drop
 * it; anything else says why it could not be loaded.
 * It lives within the coordinator and is never sent to a worker.
 *
 * @param entryNumber of the entry of the name that was looked at: DROP removes that one and none that has come since then
 */
public record DamagedTableHandle(SchemaTableName schemaTableName, long entryNumber, TrinoException reason)
        implements ConnectorTableHandle
{
    public DamagedTableHandle
    {
        requireNonNull(schemaTableName, "schemaTableName is null");
        requireNonNull(reason, "reason is null");
    }
}
