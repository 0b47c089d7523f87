package io.albis.table.model;

import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.InitialValue;
import io.albis.format.type.FieldIds;
import io.albis.format.type.Widening;
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
 * @param defaultValue literal of SQL that INSERT writes if it does not name the column; empty if it writes null
 * @param initial value of the column in row groups that do not store it; empty if it is null there
 * @param fieldIds ids of the nodes below a nested type; empty if they are those of a column whose fields have never
 *         changed
 */
public record TableColumn(int id, String name, Type type, boolean nullable, Optional<String> comment, Optional<String> defaultValue, Optional<InitialValue> initial, Optional<FieldIds> fieldIds)
{
    public TableColumn
    {
        checkArgument(id > 0, "id is not positive: %s", id);
        requireNonNull(name, "name is null");
        checkArgument(!name.isEmpty(), "name is empty");
        requireNonNull(type, "type is null");
        requireNonNull(comment, "comment is null");
        requireNonNull(defaultValue, "defaultValue is null");
        requireNonNull(initial, "initial is null");
        // Fails if the bytes are not a value of the type
        initial.ifPresent(value -> value.toBlock(type));
        fieldIds.ifPresent(ids -> ids.check(type));
        fieldIds = fieldIds.filter(ids -> !ids.equals(FieldIds.of(type)));
    }

    /**
     * Creates a column whose fields have never changed.
     */
    public TableColumn(int id, String name, Type type, boolean nullable, Optional<String> comment, Optional<String> defaultValue, Optional<InitialValue> initial)
    {
        this(id, name, type, nullable, comment, defaultValue, initial, Optional.empty());
    }

    /**
     * Creates a column without a default value that all row groups store, or that is null in the others.
     */
    public TableColumn(int id, String name, Type type, boolean nullable, Optional<String> comment)
    {
        this(id, name, type, nullable, comment, Optional.empty(), Optional.empty());
    }

    public TableColumn withId(int id)
    {
        return new TableColumn(id, name, type, nullable, comment, defaultValue, initial, fieldIds);
    }

    public TableColumn withName(String name)
    {
        return new TableColumn(id, name, type, nullable, comment, defaultValue, initial, fieldIds);
    }

    public TableColumn withNullable(boolean nullable)
    {
        return new TableColumn(id, name, type, nullable, comment, defaultValue, initial, fieldIds);
    }

    public TableColumn withComment(Optional<String> comment)
    {
        return new TableColumn(id, name, type, nullable, comment, defaultValue, initial, fieldIds);
    }

    public TableColumn withDefaultValue(Optional<String> defaultValue)
    {
        return new TableColumn(id, name, type, nullable, comment, defaultValue, initial, fieldIds);
    }

    /**
     * Returns the column with a wider type.
     */
    public TableColumn widen(Widening widening)
    {
        checkArgument(widening.from().equals(type), "column %s has type %s, not %s", name, type, widening.from());
        return new TableColumn(id, name, widening.to(), nullable, comment, defaultValue, initial.map(value -> value.widen(widening)));
    }

    /**
     * Returns the ids of the nodes below the type.
     */
    public FieldIds fields()
    {
        return fieldIds.orElseGet(() -> FieldIds.of(type));
    }

    /**
     * Returns the column with other fields.
     */
    public TableColumn withFields(Type type, FieldIds fields)
    {
        return new TableColumn(id, name, type, nullable, comment, defaultValue, initial, Optional.of(fields));
    }

    public AlbisColumn toAlbisColumn()
    {
        return new AlbisColumn(id, name, type, initial, fields());
    }
}
