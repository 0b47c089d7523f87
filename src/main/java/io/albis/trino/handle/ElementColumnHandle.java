package io.albis.trino.handle;

import io.albis.format.schema.ElementAccess;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.type.Type;

import static java.util.Objects.requireNonNull;

/**
 * A column of a scan that replaces the arrays or maps of a stored column. The engine evaluates all predicates on it.
 *
 * @param column the column, or a field of a row in it
 */
public record ElementColumnHandle(AlbisColumnHandle column, ElementAccess access)
        implements ColumnHandle
{
    public ElementColumnHandle
    {
        requireNonNull(column, "column is null");
        requireNonNull(access, "access is null");
    }

    public Type type()
    {
        return access.resultType(column.type());
    }

    @Override
    public String toString()
    {
        return "%s %s:%s".formatted(column.name(), access.form(), type().getDisplayName());
    }
}
