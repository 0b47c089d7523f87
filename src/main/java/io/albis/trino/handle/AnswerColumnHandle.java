package io.albis.trino.handle;

import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.type.Type;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A column of the rows of a {@link MetadataAnswer}: a group key, or the result of an aggregate function.
 *
 * @param index index of the values in each row
 * @param name name of the key, or the function as in SQL
 */
public record AnswerColumnHandle(int index, String name, Type type)
        implements ColumnHandle
{
    public AnswerColumnHandle
    {
        checkArgument(index >= 0, "index is negative: %s", index);
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
    }

    @Override
    public String toString()
    {
        return name + ":" + type.getDisplayName();
    }
}
