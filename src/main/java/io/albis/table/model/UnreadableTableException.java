package io.albis.table.model;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A name leads to a table that cannot be loaded: a file of it is damaged, or the storage fails. The cause says which.
 */
public final class UnreadableTableException
        extends UncheckedIOException
{
    private final long entryNumber;

    public UnreadableTableException(long entryNumber, IOException cause)
    {
        super(cause);
        this.entryNumber = entryNumber;
    }

    /**
     * The entry of the name that was looked at, for {@code Warehouse.dropDamagedTable}.
     */
    public long entryNumber()
    {
        return entryNumber;
    }
}
