package io.albis.format.metadata;

import io.albis.format.schema.AlbisLayout;
import io.albis.format.type.NestedKind;
import io.albis.format.type.StorageType;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The nodes of all columns of a column group, numbered in pre-order. A scalar column is a single node, so without
 * nested columns the number of a node is the index of its column. In the row layout, all columns are one node.
 */
final class ColumnNodes
{
    static final int NONE = -1;

    private final AlbisLayout layout;
    private final int columns;
    private final List<StoredColumn> nodes = new ArrayList<>();
    private final List<Integer> parents = new ArrayList<>();
    private final List<OptionalInt> columnIndexes = new ArrayList<>();
    private final int[] roots;

    ColumnNodes(AlbisLayout layout, List<StoredColumn> columns)
    {
        this.layout = layout;
        this.columns = columns.size();
        this.roots = new int[columns.size()];
        for (int column = 0; column < columns.size(); column++) {
            switch (layout) {
                case BLOCK -> {
                    roots[column] = nodes.size();
                    add(columns.get(column), NONE);
                    columnIndexes.set(roots[column], OptionalInt.of(column));
                }
                case ROW -> {
                    checkArgument(columns.get(column).kind().isEmpty(), "the row layout cannot have a column of kind %s", columns.get(column).kind());
                    roots[column] = 0;
                    if (nodes.isEmpty()) {
                        add(columns.get(column), NONE);
                    }
                }
            }
        }
    }

    private void add(StoredColumn column, int parent)
    {
        int node = nodes.size();
        nodes.add(column);
        parents.add(parent);
        columnIndexes.add(OptionalInt.empty());
        for (StoredColumn child : column.children()) {
            add(child, node);
        }
    }

    int columns()
    {
        return columns;
    }

    int count()
    {
        return nodes.size();
    }

    /**
     * Returns the node of a column.
     */
    int root(int column)
    {
        return roots[column];
    }

    /**
     * Returns the column that a section is about, or empty if it is about a node below a column.
     *
     * @param index the number of a node in the block layout, and the index of a column in the row layout
     */
    OptionalInt column(int index)
    {
        return switch (layout) {
            case ROW -> OptionalInt.of(index);
            // the caller finds that there is no such column
            case BLOCK -> index < 0 || index >= nodes.size() ? OptionalInt.of(NONE) : columnIndexes.get(index);
        };
    }

    /**
     * Returns the node above a node, or {@link #NONE} for the node of a column.
     */
    int parent(int node)
    {
        return parents.get(node);
    }

    Optional<NestedKind> kind(int node)
    {
        return nodes.get(node).kind();
    }

    boolean isRepeated(int node)
    {
        return kind(node).isPresent() && kind(node).get().isRepeated();
    }

    /**
     * Returns the storage type of the own values of a node.
     */
    StorageType storageType(int node)
    {
        return nodes.get(node).storageType();
    }
}
