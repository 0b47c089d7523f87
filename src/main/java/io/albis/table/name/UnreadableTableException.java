package io.albis.table.name;

import java.io.IOException;
import java.io.UncheckedIOException;

import static java.util.Objects.requireNonNull;

/**
 * Signals that a name refers to a table that cannot be loaded, because one of its files is damaged or the storage
 * fails. The cause distinguishes the two.
 */
public final class UnreadableTableException
        extends UncheckedIOException
{
    private final NameEntry entry;

    public UnreadableTableException(NameEntry entry, IOException cause)
    {
        super(cause);
        this.entry = requireNonNull(entry, "entry is null");
    }

    /**
     * Returns the entry that referred to the table, for {@code Warehouse.dropDamagedTable}.
     */
    public NameEntry entry()
    {
        return entry;
    }
}
