package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.InitialValue;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.type.Type;

import java.util.Optional;

import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * A column of a table.
 *
 * @param id of the column, which does not change when the column is renamed
 * @param initial value of the column in row groups that do not store it; empty if it is null there
 */
public record AlbisColumnHandle(int id, String name, Type type, Optional<InitialValue> initial)
        implements ColumnHandle
{
    private static final int INSTANCE_SIZE = instanceSize(AlbisColumnHandle.class);

    @JsonCreator
    public AlbisColumnHandle
    {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
        requireNonNull(initial, "initial is null");
    }

    public AlbisColumnHandle(int id, String name, Type type)
    {
        this(id, name, type, Optional.empty());
    }

    public AlbisColumn toColumn()
    {
        return new AlbisColumn(id, name, type, initial);
    }

    public long retainedSizeInBytes()
    {
        // without the type, which other handles share
        return INSTANCE_SIZE + estimatedSizeOf(name) + initial.map(value -> value.bytes().getRetainedSize()).orElse(0L);
    }

    @Override
    public String toString()
    {
        return name + ":" + type.getDisplayName();
    }
}
