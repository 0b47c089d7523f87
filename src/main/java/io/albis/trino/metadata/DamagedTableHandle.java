package io.albis.trino.metadata;

import io.albis.table.name.NameEntry;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.SchemaTableName;

import static java.util.Objects.requireNonNull;

/**
 * A table that cannot be loaded, because its files are damaged or its storage fails. It can only be dropped. Any other
 * operation fails with the reason why it cannot be loaded. The handle is used on the coordinator only and is never sent
 * to a worker.
 *
 * @param entry the name entry that the statement saw. DROP removes this entry, and no later one.
 * @param reason why the table cannot be loaded
 */
public record DamagedTableHandle(SchemaTableName schemaTableName, NameEntry entry, TrinoException reason)
        implements ConnectorTableHandle
{
    public DamagedTableHandle
    {
        requireNonNull(schemaTableName, "schemaTableName is null");
        requireNonNull(entry, "entry is null");
        requireNonNull(reason, "reason is null");
    }
}
