package io.albis.table.model;

import io.albis.format.schema.AlbisColumn;
import io.trino.spi.type.Type;

import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A column of a table.
 *
 * @param id positive, unique within the table and never given to another column, also after this one is gone
 * @param name not empty
 * @param nullable whether the column may hold null
 */
public record TableColumn(int id, String name, Type type, boolean nullable, Optional<String> comment)
{
    public TableColumn
    {
        checkArgument(id > 0, "id is not positive: %s", id);
        requireNonNull(name, "name is null");
        checkArgument(!name.isEmpty(), "name is empty");
        requireNonNull(type, "type is null");
        requireNonNull(comment, "comment is null");
    }

    public TableColumn withComment(Optional<String> comment)
    {
        return new TableColumn(id, name, type, nullable, comment);
    }

    public AlbisColumn toAlbisColumn()
    {
        return AlbisColumn.make(id, name, type);
    }
}
