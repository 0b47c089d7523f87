package io.albis.trino;

import io.trino.spi.connector.ConnectorTransactionHandle;

import java.util.UUID;

import static java.util.Objects.requireNonNull;

public record AlbisTransactionHandle(UUID id)
        implements ConnectorTransactionHandle
{
    public AlbisTransactionHandle
    {
        requireNonNull(id, "id is null");
    }
}
