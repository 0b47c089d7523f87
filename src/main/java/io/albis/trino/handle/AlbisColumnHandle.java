package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.ElementAccess;
import io.albis.format.schema.ElementContainer;
import io.albis.format.schema.InitialValue;
import io.albis.format.type.FieldIds;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.INTEGER_INSTANCE_SIZE;
import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * A column of a table, a field of a row in it, or what a scan returns instead of the arrays or maps of one of these.
 *
 * @param id of the column, which does not change when the column is renamed
 * @param name name of the column, with the fields and the call that lead to the part
 * @param type type of the column or of the part
 * @param initial value of the column in row groups that do not store it; empty if it is null there
 * @param fields ids of the nodes below a nested type; empty for a scalar type
 * @param path ids of the fields that lead to the part; empty for the column itself
 * @param container the arrays or maps of which this is an element or the number of elements; empty if it is not
 */
public record AlbisColumnHandle(int id, String name, Type type, Optional<InitialValue> initial, FieldIds fields, List<Integer> path, Optional<ElementContainer> container)
        implements ColumnHandle
{
    private static final int INSTANCE_SIZE = instanceSize(AlbisColumnHandle.class);
    private static final int CONTAINER_SIZE = instanceSize(ElementContainer.class) + instanceSize(ElementAccess.class);

    @JsonCreator
    public AlbisColumnHandle
    {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
        requireNonNull(initial, "initial is null");
        requireNonNull(fields, "fields is null");
        path = ImmutableList.copyOf(path);
        requireNonNull(container, "container is null");
    }

    public AlbisColumnHandle(int id, String name, Type type, Optional<InitialValue> initial, FieldIds fields)
    {
        this(id, name, type, initial, fields, ImmutableList.of(), Optional.empty());
    }

    /**
     * Creates the handle of a column whose fields have never changed, without an initial value.
     */
    public AlbisColumnHandle(int id, String name, Type type)
    {
        this(id, name, type, Optional.empty(), FieldIds.of(type));
    }

    /**
     * Returns the handle of a field of the column, or of this field. Elements have no such handles.
     *
     * @param index index of the field in the type, which is a row
     */
    public AlbisColumnHandle field(int index)
    {
        checkArgument(container.isEmpty(), "%s has no fields that can be read alone", name);
        RowType.Field field = ((RowType) type).getFields().get(index);
        // as in SQL, where a field can have no name
        String fieldName = field.getName().map("."::concat).orElseGet(() -> "[%s]".formatted(index + 1));
        return new AlbisColumnHandle(id, name + fieldName, field.getType(), Optional.empty(), fields.below(type, index), ImmutableList.<Integer>builder()
                .addAll(path)
                .add(fields.id(type, index))
                .build(), Optional.empty());
    }

    /**
     * Returns the handle of what a scan returns instead of the arrays or maps of this column, or of this field.
     */
    public AlbisColumnHandle elements(ElementAccess access)
    {
        AlbisColumn elements = toColumn().elements(access);
        return new AlbisColumnHandle(id, elements.name(), elements.type(), elements.initial(), elements.fields(), path, elements.container());
    }

    /**
     * Returns whether this is a part of a column.
     */
    @JsonIgnore
    public boolean isPart()
    {
        return !path.isEmpty() || container.isPresent();
    }

    /**
     * Returns whether the values are neither rows nor arrays nor maps.
     */
    @JsonIgnore
    public boolean isScalar()
    {
        return fields.ids().isEmpty();
    }

    public AlbisColumn toColumn()
    {
        return new AlbisColumn(id, name, type, initial, fields, path, container);
    }

    public long retainedSizeInBytes()
    {
        // without the types, which other handles share
        return INSTANCE_SIZE +
                estimatedSizeOf(name) +
                initial.map(value -> value.bytes().getRetainedSize()).orElse(0L) +
                estimatedSizeOf(fields.ids(), _ -> INTEGER_INSTANCE_SIZE) +
                estimatedSizeOf(path, _ -> INTEGER_INSTANCE_SIZE) +
                container.map(AlbisColumnHandle::retainedSizeInBytes).orElse(0L);
    }

    private static long retainedSizeInBytes(ElementContainer container)
    {
        return CONTAINER_SIZE +
                estimatedSizeOf(container.fields().ids(), _ -> INTEGER_INSTANCE_SIZE) +
                container.access().key().map(key -> key.bytes().getRetainedSize()).orElse(0L);
    }

    @Override
    public String toString()
    {
        return name + ":" + type.getDisplayName();
    }
}
