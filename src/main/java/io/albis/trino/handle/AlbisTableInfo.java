package io.albis.trino.handle;

import static java.util.Objects.requireNonNull;

/**
 * What the events of a query say of a table that it read.
 */
public record AlbisTableInfo(String folder, long version, long rows)
{
    public AlbisTableInfo
    {
        requireNonNull(folder, "folder is null");
    }
}
