package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.InitialValue;
import io.albis.format.type.FieldIds;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;

import static io.airlift.slice.SizeOf.INTEGER_INSTANCE_SIZE;
import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * A column of a table, or a field of a row in it.
 *
 * @param id of the column, which does not change when the column is renamed
 * @param name name of the column, with the fields that lead to the part
 * @param type type of the column or of the part
 * @param initial value of the column in row groups that do not store it; empty if it is null there
 * @param fields ids of the nodes below a nested type; empty for a scalar type
 * @param path ids of the fields that lead to the part; empty for the column itself
 */
public record AlbisColumnHandle(int id, String name, Type type, Optional<InitialValue> initial, FieldIds fields, List<Integer> path)
        implements ColumnHandle
{
    private static final int INSTANCE_SIZE = instanceSize(AlbisColumnHandle.class);

    @JsonCreator
    public AlbisColumnHandle
    {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
        requireNonNull(initial, "initial is null");
        requireNonNull(fields, "fields is null");
        path = ImmutableList.copyOf(path);
    }

    public AlbisColumnHandle(int id, String name, Type type, Optional<InitialValue> initial, FieldIds fields)
    {
        this(id, name, type, initial, fields, ImmutableList.of());
    }

    /**
     * Creates the handle of a column whose fields have never changed, without an initial value.
     */
    public AlbisColumnHandle(int id, String name, Type type)
    {
        this(id, name, type, Optional.empty(), FieldIds.of(type));
    }

    /**
     * Returns the handle of a field.
     *
     * @param index index of the field in the type, which is a row
     */
    public AlbisColumnHandle field(int index)
    {
        RowType.Field field = ((RowType) type).getFields().get(index);
        // as in SQL, where a field can have no name
        String fieldName = field.getName().map("."::concat).orElseGet(() -> "[%s]".formatted(index + 1));
        return new AlbisColumnHandle(id, name + fieldName, field.getType(), Optional.empty(), fields.below(type, index), ImmutableList.<Integer>builder()
                .addAll(path)
                .add(fields.id(type, index))
                .build());
    }

    /**
     * Returns whether this is a part of a column.
     */
    @JsonIgnore
    public boolean isPart()
    {
        return !path.isEmpty();
    }

    public AlbisColumn toColumn()
    {
        return new AlbisColumn(id, name, type, initial, fields, path);
    }

    public long retainedSizeInBytes()
    {
        // without the type, which other handles share
        return INSTANCE_SIZE + estimatedSizeOf(name) + estimatedSizeOf(fields.ids(), _ -> INTEGER_INSTANCE_SIZE) + estimatedSizeOf(path, _ -> INTEGER_INSTANCE_SIZE) + initial.map(value -> value.bytes().getRetainedSize()).orElse(0L);
    }

    @Override
    public String toString()
    {
        return name + ":" + type.getDisplayName();
    }
}
