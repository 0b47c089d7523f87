package io.albis.format.type;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.google.common.collect.ImmutableList;
import io.trino.spi.type.Type;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static com.fasterxml.jackson.annotation.JsonCreator.Mode.DELEGATING;
import static com.google.common.base.Preconditions.checkArgument;

/**
 * The ids of the nodes below a nested type: of the fields of rows, the elements of arrays, and the keys and values of
 * maps. An id is unique among the children of a node, and no field of a column ever gets that of another field, even
 * after the other one is dropped. Elements and keys always have the id 1, and values the id 2.
 *
 * @param ids the ids in pre-order, without one of the type itself; empty for a scalar type
 */
public record FieldIds(List<Integer> ids)
{
    public static final FieldIds NONE = new FieldIds(ImmutableList.of());

    public FieldIds
    {
        ids = ImmutableList.copyOf(ids);
    }

    @JsonCreator(mode = DELEGATING)
    public static FieldIds fromList(List<Integer> ids)
    {
        return new FieldIds(ids);
    }

    /**
     * Returns the ids of a type whose fields have never changed. The children of each node have the ids 1, 2, and so
     * on.
     */
    public static FieldIds of(Type type)
    {
        if (!NestedTypes.isNested(type)) {
            return NONE;
        }
        ImmutableList.Builder<Integer> ids = ImmutableList.builder();
        addDefaults(type, ids);
        return new FieldIds(ids.build());
    }

    private static void addDefaults(Type type, ImmutableList.Builder<Integer> ids)
    {
        int id = 1;
        for (Type child : NestedTypes.children(type)) {
            ids.add(id);
            addDefaults(child, ids);
            id++;
        }
    }

    /**
     * Checks that these are possible ids of the nodes below a type.
     *
     * @throws IllegalArgumentException if they are not
     */
    public void check(Type type)
    {
        checkArgument(ids.size() == NestedTypes.nodes(type) - 1, "type %s consists of %s types below it, but there are %s ids of fields", type.getDisplayName(), NestedTypes.nodes(type) - 1, ids.size());
        checkChildren(type, 0);
    }

    private int checkChildren(Type type, int position)
    {
        boolean row = NestedKind.of(type).orElse(null) == NestedKind.ROW;
        Set<Integer> used = new HashSet<>();
        int next = position;
        for (Type child : NestedTypes.children(type)) {
            int id = ids.get(next);
            checkArgument(row ? id > 0 : id == used.size() + 1, "a part of type %s cannot have the id %s", type.getDisplayName(), id);
            checkArgument(used.add(id), "two fields of type %s have the id %s", type.getDisplayName(), id);
            next = checkChildren(child, next + 1);
        }
        return next;
    }

    /**
     * Returns the id of a child of the type.
     *
     * @param type the type that these ids belong to
     * @param child index of the child
     */
    public int id(Type type, int child)
    {
        return ids.get(position(type, child));
    }

    /**
     * Returns the ids of the nodes below a child of the type.
     *
     * @param type the type that these ids belong to
     * @param child index of the child
     */
    public FieldIds below(Type type, int child)
    {
        int nodes = NestedTypes.nodes(NestedTypes.children(type).get(child));
        if (nodes == 1) {
            return NONE;
        }
        int position = position(type, child);
        return new FieldIds(ids.subList(position + 1, position + nodes));
    }

    /**
     * Returns the greatest id, or 0 if there is none.
     */
    public int max()
    {
        int max = 0;
        for (int id : ids) {
            max = Math.max(max, id);
        }
        return max;
    }

    private static int position(Type type, int child)
    {
        int position = 0;
        for (Type before : NestedTypes.children(type).subList(0, child)) {
            position += NestedTypes.nodes(before);
        }
        return position;
    }

    @JsonValue
    public List<Integer> toList()
    {
        return ids;
    }
}
