package io.albis.format.metadata;

import io.albis.format.metadata.ColumnGroupMetadata.Part;
import io.albis.format.type.FieldIds;
import io.albis.format.type.NestedKind;
import io.albis.format.type.NestedTypes;
import io.albis.format.type.Widening;
import io.trino.spi.type.Type;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Finds the nodes of a nested type in a column that was written with other fields, or with fields of narrower types.
 * Fields are found by their ids. Stored fields that the type does not have are not found, and are not read.
 */
public final class StoredNodes
{
    private static final int NOT_STORED = -1;

    // by the number of the node of the type, in pre-order: the number of the stored node
    private final int[] nodes;
    private final List<Optional<Widening>> widenings = new ArrayList<>();

    private StoredNodes(Type type)
    {
        nodes = new int[NestedTypes.nodes(type)];
        Arrays.fill(nodes, NOT_STORED);
    }

    /**
     * Finds the nodes of a type.
     *
     * @param stored a stored column, or a part of it
     * @param type the type with which it is read
     * @param fields ids of the nodes below the type
     * @throws IllegalArgumentException if values of the stored form cannot be read with the type
     */
    public static StoredNodes find(StoredColumn stored, Type type, FieldIds fields)
    {
        StoredNodes result = new StoredNodes(type);
        result.add(Optional.of(new Part(stored, 0)), type, fields);
        return result;
    }

    private void add(Optional<Part> stored, Type type, FieldIds fields)
    {
        int node = widenings.size();
        widenings.add(Optional.empty());
        Optional<NestedKind> kind = NestedKind.of(type);
        Map<Integer, Part> storedChildren = Map.of();
        if (stored.isPresent()) {
            StoredColumn column = stored.get().column();
            checkArgument(column.kind().equals(kind), "%s is not a form of type %s", column.description(), type.getDisplayName());
            nodes[node] = stored.get().node();
            if (kind.isEmpty()) {
                widenings.set(node, widening(column, type));
            }
            storedChildren = children(stored.get());
        }
        for (Type child : NestedTypes.children(type)) {
            // the node of the type itself has no id
            int id = fields.ids().get(widenings.size() - 1);
            Optional<Part> storedChild = Optional.ofNullable(storedChildren.get(id));
            checkArgument(stored.isEmpty() || storedChild.isPresent() || kind.orElseThrow() == NestedKind.ROW, "there is no part of %s with the id %s", type.getDisplayName(), id);
            add(storedChild, child, fields);
        }
    }

    private static Map<Integer, Part> children(Part part)
    {
        Map<Integer, Part> children = new HashMap<>();
        int node = part.node() + 1;
        for (StoredColumn child : part.column().children()) {
            children.put(child.id(), new Part(child, node));
            node += child.nodes();
        }
        return children;
    }

    private static Optional<Widening> widening(StoredColumn stored, Type type)
    {
        if (stored.hasType(type)) {
            return Optional.empty();
        }
        Optional<Widening> widening = stored.wideningTo(type);
        checkArgument(widening.isPresent(), "%s is not a form of type %s", stored.description(), type.getDisplayName());
        return widening;
    }

    /**
     * Returns the number of the stored node, or empty if it is not stored. The node of the column or part itself is 0.
     *
     * @param node number of a node of the type, in pre-order
     */
    public OptionalInt stored(int node)
    {
        return nodes[node] == NOT_STORED ? OptionalInt.empty() : OptionalInt.of(nodes[node]);
    }

    /**
     * Returns how the values of a node are converted, or empty if they are stored with the type of the node.
     */
    public Optional<Widening> widening(int node)
    {
        return widenings.get(node);
    }
}
