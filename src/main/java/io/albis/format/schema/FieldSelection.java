package io.albis.format.schema;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.format.type.NestedKind;
import io.albis.format.type.NestedTypes;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The parts of a nested column that a scan reads. The other parts are null in the result. The value of the column
 * itself and every value above a selected part is null only if it is stored as null.
 *
 * @param nodes numbers of the selected nodes of the column, in pre-order starting at 0. The keys of each selected map
 *         must be selected
 */
public record FieldSelection(Set<Integer> nodes)
{
    private static final List<Integer> KEYS = ImmutableList.of(0);

    public FieldSelection
    {
        nodes = ImmutableSet.copyOf(nodes);
        checkArgument(nodes.contains(0), "the column itself must be selected");
    }

    /**
     * Selects parts of a column with everything below them. The keys of a map are selected, too, if the map contains a
     * selected part or is the column.
     *
     * @param paths a path for each part, from the column downward: the index of a field of a row, 0 for the elements of
     *         an array, and 0 for the keys and 1 for the values of a map. An empty path selects everything
     * @throws IllegalArgumentException if a path refers to no field
     */
    public static FieldSelection of(Type type, List<List<Integer>> paths)
    {
        ImmutableSet.Builder<Integer> nodes = ImmutableSet.builder();
        nodes.add(0);
        if (paths.isEmpty() && NestedKind.of(type).orElse(null) == NestedKind.MAP) {
            select(type, 0, KEYS, nodes);
        }
        for (List<Integer> path : paths) {
            select(type, 0, ImmutableList.copyOf(path), nodes);
        }
        return new FieldSelection(nodes.build());
    }

    private static void select(Type type, int node, List<Integer> path, ImmutableSet.Builder<Integer> nodes)
    {
        nodes.add(node);
        List<Type> children = NestedTypes.children(type);
        if (!path.isEmpty()) {
            checkArgument(path.getFirst() >= 0 && path.getFirst() < children.size(), "type %s has no part with the index %s", type.getDisplayName(), path.getFirst());
        }
        int next = node + 1;
        for (int child = 0; child < children.size(); child++) {
            boolean key = child == 0 && NestedKind.of(type).orElseThrow() == NestedKind.MAP;
            if (path.isEmpty() || path.getFirst() == child) {
                select(children.get(child), next, path.isEmpty() ? path : path.subList(1, path.size()), nodes);
            }
            else if (key) {
                select(children.get(child), next, List.of(), nodes);
            }
            next += NestedTypes.nodes(children.get(child));
        }
    }
}
