package io.albis.trino.handle;

import io.albis.format.schema.AlbisColumn;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.type.Type;

import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * A column of a table.
 *
 * @param id of the column, which does not change when the column is renamed
 */
public record AlbisColumnHandle(int id, String name, Type type)
        implements ColumnHandle
{
    private static final int INSTANCE_SIZE = instanceSize(AlbisColumnHandle.class);

    public AlbisColumnHandle
    {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
    }

    public AlbisColumn toColumn()
    {
        return AlbisColumn.make(id, name, type);
    }

    public long retainedSizeInBytes()
    {
        // without the type, which other handles share
        return INSTANCE_SIZE + estimatedSizeOf(name);
    }

    @Override
    public String toString()
    {
        return name + ":" + type.getDisplayName();
    }
}
