package io.albis.format.type;

import io.trino.spi.type.ArrayType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The types that contain values of other types. A column of such a type is a tree of nodes; see {@code docs/format.md}.
 * A node has values of its own, which are stored like those of a scalar column, and the values of its children.
 */
public enum NestedKind
{
    /**
     * The own value is 0 or null. The children are the fields. A child has a value for each row, which is null if the
     * row is null, as in Trino's blocks.
     */
    ROW(7, TinyintType.TINYINT),
    /**
     * The own value is the number of elements. The child is the elements.
     */
    ARRAY(8, IntegerType.INTEGER),
    /**
     * The own value is the number of entries. The children are the keys and the values.
     */
    MAP(9, IntegerType.INTEGER);

    private final int code;
    private final Type ownType;

    NestedKind(int code, Type ownType)
    {
        this.code = code;
        this.ownType = requireNonNull(ownType, "ownType is null");
    }

    /**
     * Returns the code of this kind in files. It differs from the codes of all storage types.
     */
    public int code()
    {
        return code;
    }

    /**
     * Returns the kind with a code, or empty if this version of Albis knows none.
     */
    public static Optional<NestedKind> find(int code)
    {
        for (NestedKind kind : values()) {
            if (kind.code == code) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the kind of a type, or empty if the type is not nested.
     */
    public static Optional<NestedKind> of(Type type)
    {
        return switch (type) {
            case RowType _ -> Optional.of(ROW);
            case ArrayType _ -> Optional.of(ARRAY);
            case MapType _ -> Optional.of(MAP);
            default -> Optional.empty();
        };
    }

    /**
     * Returns the type of the own values.
     */
    public Type ownType()
    {
        return ownType;
    }

    /**
     * Returns the storage type of the own values.
     */
    public StorageType storageType()
    {
        return StorageType.of(ownType);
    }

    /**
     * Returns whether a value contains any number of elements. If not, it has exactly one value of each child.
     */
    public boolean isRepeated()
    {
        return switch (this) {
            case ROW -> false;
            case ARRAY, MAP -> true;
        };
    }

    /**
     * Returns whether a value of this kind can have a number of children.
     */
    public boolean hasChildren(int count)
    {
        return switch (this) {
            case ROW -> count > 0;
            case ARRAY -> count == 1;
            case MAP -> count == 2;
        };
    }
}
