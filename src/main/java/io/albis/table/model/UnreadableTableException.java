package io.albis.table.model;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Signals that a name refers to a table that cannot be loaded, because one of its files is damaged or the storage
 * fails. The cause distinguishes the two.
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
     * Returns the number of the entry that referred to the table, for {@code Warehouse.dropDamagedTable}.
     */
    public long entryNumber()
    {
        return entryNumber;
    }
}
