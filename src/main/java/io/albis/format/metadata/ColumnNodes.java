package io.albis.format.metadata;

import io.albis.format.io.FileSection;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.type.NestedKind;
import io.albis.format.type.StorageType;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The nodes of all columns of a column group.
 * <p>
 * In the block layout, they are numbered in pre-order. A scalar column is a single node, so without nested columns the
 * number of a node is the index of its column. In the row layout, all scalar columns are one node, which is the first
 * one if there are any. The nodes of nested columns follow in pre-order.
 */
final class ColumnNodes
{
    static final int NONE = -1;
    private static final int ROWS = 0;

    private final AlbisLayout layout;
    // whether the first node is that of all scalar columns
    private final boolean hasRows;
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
        Optional<StoredColumn> firstInRows = switch (layout) {
            case BLOCK -> Optional.empty();
            case ROW -> columns.stream().filter(column -> column.kind().isEmpty()).findFirst();
        };
        this.hasRows = firstInRows.isPresent();
        firstInRows.ifPresent(column -> add(column, NONE));
        for (int column = 0; column < columns.size(); column++) {
            if (hasRows && columns.get(column).kind().isEmpty()) {
                roots[column] = ROWS;
            }
            else {
                roots[column] = nodes.size();
                add(columns.get(column), NONE);
                columnIndexes.set(roots[column], OptionalInt.of(column));
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
     * Returns how the values of a node are stored.
     */
    AlbisLayout layout(int node)
    {
        return hasRows && node == ROWS ? AlbisLayout.ROW : AlbisLayout.BLOCK;
    }

    /**
     * Returns the column of the section with the chunks of a node.
     */
    int columnOfChunks(int node)
    {
        return switch (layout(node)) {
            case ROW -> FileSection.NO_COLUMN;
            case BLOCK -> node;
        };
    }

    /**
     * Returns the node whose chunks a section contains. The caller finds that there is no such node.
     *
     * @param column the column of the section
     */
    int nodeOfChunks(int column)
    {
        if (!hasRows) {
            return column;
        }
        checkArgument(column != ROWS, "the rows of all columns have a section of column %s", column);
        return column == FileSection.NO_COLUMN ? ROWS : column;
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
            case ROW -> index >= columns ? OptionalInt.empty() : OptionalInt.of(index);
            // the caller finds that there is no such column
            case BLOCK -> index < 0 || index >= nodes.size() ? OptionalInt.of(NONE) : columnIndexes.get(index);
        };
    }

    /**
     * Returns the column that a section about a field of a column states.
     *
     * @param node number of the node of the field; that of the column is 0
     */
    int columnOfField(int column, int node)
    {
        return switch (layout) {
            case ROW -> columns + roots[column] + node;
            case BLOCK -> roots[column] + node;
        };
    }

    /**
     * Returns the node below a column that a section is about, if it is not about a column.
     *
     * @param index the column of the section
     * @throws IllegalArgumentException if there is no such node
     */
    int nodeOfField(int index)
    {
        int node = switch (layout) {
            case ROW -> index - columns;
            case BLOCK -> index;
        };
        checkArgument(node < nodes.size() && parents.get(node) != NONE, "a section is about the column or field %s, which does not exist", index);
        return node;
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
