package io.albis.format.type;

import io.trino.spi.type.Type;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The types that a column can have: scalar types, and rows, arrays, and maps of them.
 */
public final class NestedTypes
{
    /**
     * Maximum number of types within each other, including the scalar type at the end.
     */
    public static final int MAX_DEPTH = 32;
    /**
     * Maximum number of types that a type consists of.
     */
    public static final int MAX_NODES = 1_000;

    private NestedTypes() {}

    public static boolean isNested(Type type)
    {
        return NestedKind.of(type).isPresent();
    }

    /**
     * Returns the types of the fields, of the elements, or of the keys and values. A scalar type has none.
     */
    public static List<Type> children(Type type)
    {
        return isNested(type) ? type.getTypeParameters() : List.of();
    }

    /**
     * Returns the number of types that a type consists of.
     */
    public static int nodes(Type type)
    {
        int nodes = 1;
        for (Type child : children(type)) {
            nodes += nodes(child);
        }
        return nodes;
    }

    /**
     * Returns the number of types within each other, including the scalar type at the end.
     */
    public static int depth(Type type)
    {
        int depth = 0;
        for (Type child : children(type)) {
            depth = Math.max(depth, depth(child));
        }
        return depth + 1;
    }

    /**
     * Returns whether Albis can store the scalar types that a type consists of.
     */
    public static boolean hasStorableValues(Type type)
    {
        return isNested(type) ? children(type).stream().allMatch(NestedTypes::hasStorableValues) : StorageType.isSupported(type);
    }

    /**
     * Returns whether a type consists of few enough types within each other.
     */
    public static boolean isWithinLimits(Type type)
    {
        return depth(type) <= MAX_DEPTH && nodes(type) <= MAX_NODES;
    }

    /**
     * Returns the representation of the values on storage. For a nested type, this is that of the own values of its
     * node.
     *
     * @throws IllegalArgumentException if Albis cannot store the type
     */
    public static StorageType storageType(Type type)
    {
        return NestedKind.of(type).map(NestedKind::storageType).orElseGet(() -> StorageType.of(type));
    }

    /**
     * Checks that Albis can store a type.
     *
     * @throws IllegalArgumentException if it cannot
     */
    public static void check(Type type, String column)
    {
        int nodes = check(type, type, column, 1);
        checkArgument(nodes <= MAX_NODES, "Albis cannot store type %s of column %s: it consists of %s types, but at most %s are possible", type.getDisplayName(), column, nodes, MAX_NODES);
    }

    private static int check(Type type, Type columnType, String column, int depth)
    {
        checkArgument(depth <= MAX_DEPTH, "Albis cannot store type %s of column %s: it has more than %s levels", columnType.getDisplayName(), column, MAX_DEPTH);
        if (!isNested(type)) {
            checkArgument(StorageType.isSupported(type), "Albis cannot store type %s of column %s", columnType.getDisplayName(), column);
            return 1;
        }
        int nodes = 1;
        for (Type child : children(type)) {
            nodes += check(child, columnType, column, depth + 1);
        }
        return nodes;
    }
}
