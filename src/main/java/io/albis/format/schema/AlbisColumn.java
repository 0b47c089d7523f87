package io.albis.format.schema;

import io.albis.format.type.StorageType;
import io.trino.spi.type.Type;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A column: a name, a Trino type and an id that is stable for the life of a table (Albis paper, Table 4).
 *
 * @param id positive and unique within a schema, or {@link #UNASSIGNED} until {@code AlbisSchema.makeSchema} gives one
 * @param name not empty
 * @param type one of the scalar types that {@link StorageType#isSupported} accepts
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
        checkArgument(StorageType.isSupported(type), "Albis cannot store type %s of column %s", type.getDisplayName(), name);
    }

    public static AlbisColumn make(String name, Type type)
    {
        return new AlbisColumn(UNASSIGNED, name, type);
    }

    public static AlbisColumn make(int id, String name, Type type)
    {
        return new AlbisColumn(id, name, type);
    }

    public StorageType storageType()
    {
        return StorageType.of(type);
    }
}
