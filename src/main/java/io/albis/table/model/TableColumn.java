package io.albis.table.model;

import io.albis.format.schema.AlbisColumn;
import io.trino.spi.type.Type;

import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A column of a table.
 *
 * @param id positive id, unique within the table and never reused for another column, even after this one is dropped
 * @param name name of the column, not empty
 * @param nullable whether the column can contain nulls
 * @param comment comment of the user; empty if there is none
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
