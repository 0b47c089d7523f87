package io.albis.format.schema;

import io.albis.format.type.NestedTypes;
import io.albis.format.type.StorageType;
import io.trino.spi.type.Type;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A column with a name, a Trino type, and an id that is stable for the lifetime of a table (Albis paper, Table 4).
 *
 * @param id positive and unique within a schema, or {@link #UNASSIGNED} until {@code AlbisSchema.makeSchema} assigns an
 *         id
 * @param name name of the column; not empty
 * @param type scalar type that {@link StorageType#isSupported} accepts, or rows, arrays, and maps of such types
 */
public record AlbisColumn(int id, String name, Type type)
{
    public static final int UNASSIGNED = 0;

    public AlbisColumn
    {
        checkArgument(id >= 0, "id is negative: %s", id);
        requireNonNull(name, "name is null");
        checkArgument(!name.isEmpty(), "name is empty");
        requireNonNull(type, "type is null");
        NestedTypes.check(type, name);
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
     * Returns the storage representation of the values. For a nested type, this is that of the own values of its node.
     */
    public StorageType storageType()
    {
        return NestedTypes.storageType(type);
    }
}
