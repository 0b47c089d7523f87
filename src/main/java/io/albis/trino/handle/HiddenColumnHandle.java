package io.albis.trino.handle;

import io.trino.spi.connector.ColumnHandle;

import static java.util.Objects.requireNonNull;

/**
 * A column that tables do not store. The reader computes it.
 */
public record HiddenColumnHandle(HiddenColumn column)
        implements ColumnHandle
{
    public HiddenColumnHandle
    {
        requireNonNull(column, "column is null");
    }

    @Override
    public String toString()
    {
        return column.columnName() + ":" + column.type().getDisplayName();
    }
}
