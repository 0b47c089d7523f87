package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.trino.spi.connector.ConnectorTransactionHandle;

import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * A transaction.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 */
public record AlbisTransactionHandle(HandleBuild build, UUID id)
        implements ConnectorTransactionHandle
{
    @JsonCreator
    public AlbisTransactionHandle
    {
        HandleBuild.checkPresent(build);
        requireNonNull(id, "id is null");
    }

    public AlbisTransactionHandle(UUID id)
    {
        this(HandleBuild.CURRENT, id);
    }
}
