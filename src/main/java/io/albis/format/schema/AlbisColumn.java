package io.albis.format.schema;

import com.google.common.collect.ImmutableList;
import io.albis.format.type.FieldIds;
import io.albis.format.type.NestedTypes;
import io.albis.format.type.StorageType;
import io.trino.spi.block.Block;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.predicate.Domain;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.trino.spi.type.TypeUtils.isFloatingPointNaN;
import static java.util.Objects.requireNonNull;

/**
 * A column with a name, a Trino type, and an id that is stable for the lifetime of a table (Albis paper, Table 4).
 *
 * @param id positive and unique within a schema, or {@link #UNASSIGNED} until {@code AlbisSchema.makeSchema} assigns an
 *         id
 * @param name name of the column; not empty
 * @param type scalar type that {@link StorageType#isSupported} accepts, or rows, arrays, and maps of such types
 * @param initial value of the column in row groups that do not store it; empty if it is null there
 * @param fields ids of the nodes below a nested type; empty for a scalar type
 * @param path ids of the fields of rows that lead from the column with the id to the part of it that this is; empty for
 *         the column itself. Only scans refer to parts
 * @param container the arrays or maps at the end of the path of which this is an element or the number of elements;
 *         empty for all other parts, and for the column itself
 */
public record AlbisColumn(int id, String name, Type type, Optional<InitialValue> initial, FieldIds fields, List<Integer> path, Optional<ElementContainer> container)
{
    public static final int UNASSIGNED = 0;

    public AlbisColumn
    {
        checkArgument(id >= 0, "id is negative: %s", id);
        requireNonNull(name, "name is null");
        checkArgument(!name.isEmpty(), "name is empty");
        requireNonNull(type, "type is null");
        NestedTypes.check(type, name);
        requireNonNull(initial, "initial is null");
        fields.check(type);
        path = ImmutableList.copyOf(path);
        checkArgument((path.isEmpty() && container.isEmpty()) || initial.isEmpty(), "part %s of a column has an initial value", name);
        checkArgument(container.isEmpty() || container.get().resultType().equals(type), "part %s of a column has another type than its elements", name);
    }

    /**
     * Creates a column, or a field of a row in it.
     */
    public AlbisColumn(int id, String name, Type type, Optional<InitialValue> initial, FieldIds fields, List<Integer> path)
    {
        this(id, name, type, initial, fields, path, Optional.empty());
    }

    /**
     * Creates a column whose fields have never changed.
     */
    public AlbisColumn(int id, String name, Type type, Optional<InitialValue> initial)
    {
        this(id, name, type, initial, FieldIds.of(type));
    }

    /**
     * Creates a column.
     */
    public AlbisColumn(int id, String name, Type type, Optional<InitialValue> initial, FieldIds fields)
    {
        this(id, name, type, initial, fields, ImmutableList.of());
    }

    /**
     * Creates a column that is null in row groups that do not store it.
     */
    public AlbisColumn(int id, String name, Type type)
    {
        this(id, name, type, Optional.empty());
    }

    /**
     * Creates a column without an id. {@code AlbisSchema.makeSchema} assigns one.
     *
     * @throws IllegalArgumentException if the name is empty or Albis cannot store the type
     */
    public static AlbisColumn make(String name, Type type)
    {
        return new AlbisColumn(UNASSIGNED, name, type);
    }

    /**
     * Creates a column.
     *
     * @throws IllegalArgumentException if the id is negative, the name is empty, or Albis cannot store the type
     */
    public static AlbisColumn make(int id, String name, Type type)
    {
        return new AlbisColumn(id, name, type);
    }

    /**
     * Returns whether this is a part of a column. A part is null where the column is null, and may be null where it is
     * not.
     */
    public boolean isPart()
    {
        return !path.isEmpty() || container.isPresent();
    }

    /**
     * Returns what a scan returns instead of the arrays or maps of this column, or of this field.
     */
    public AlbisColumn elements(ElementAccess access)
    {
        Type elementType = access.resultType(type);
        return new AlbisColumn(id, access.name(name, type), elementType, Optional.empty(), FieldIds.of(elementType), path, Optional.of(new ElementContainer(type, fields, access)));
    }

    /**
     * Returns the column, or the field of a row, of whose arrays or maps this is an element or the number of elements,
     * or this column if it is not.
     */
    public AlbisColumn withoutAccess()
    {
        return container.map(arrays -> new AlbisColumn(id, name, arrays.type(), Optional.empty(), arrays.fields(), path)).orElse(this);
    }

    /**
     * Returns the values of the column in a number of rows of a row group that does not store it.
     */
    public Block missingValues(int rows)
    {
        return initial.map(value -> RunLengthEncodedBlock.create(value.toBlock(type), rows))
                .orElseGet(() -> RunLengthEncodedBlock.create(type, null, rows));
    }

    /**
     * Returns whether the rows of a row group that does not store the column are in a domain of the column.
     */
    public boolean isMissingIn(Domain domain)
    {
        if (initial.isEmpty()) {
            return domain.isNullAllowed();
        }
        Object value = initial.get().toNativeValue(type);
        // NaN is in a domain only if all values are
        return domain.getValues().isAll() || (!isFloatingPointNaN(type, value) && domain.includesNullableValue(value));
    }

    /**
     * Returns the storage representation of the values. For a nested type, this is that of the own values of its node.
     */
    public StorageType storageType()
    {
        return NestedTypes.storageType(type);
    }
}
