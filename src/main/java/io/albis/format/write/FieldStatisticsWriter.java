package io.albis.format.write;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.FieldStatistics;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.KeyScratch;
import io.albis.format.type.FieldTree;
import io.albis.format.type.FieldTree.Field;
import io.albis.format.type.NestedKind;
import io.albis.format.type.NestedTypes;
import io.albis.format.type.OrderKeys;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.ValueBlock;

import java.util.List;
import java.util.Optional;

import static io.albis.format.type.FlatBlocks.rowField;
import static java.util.Objects.requireNonNull;

/**
 * Collects the statistics of one field of a nested column of a row group.
 */
final class FieldStatisticsWriter
{
    private final int column;
    private final int node;
    private final List<Integer> path;
    // from the column downward, the index of the field in each row
    private final List<Integer> indexes;
    private final ColumnStatisticsWriter statistics;

    private FieldStatisticsWriter(int column, int node, List<Integer> path, List<Integer> indexes, ColumnStatisticsWriter statistics)
    {
        this.column = column;
        this.node = node;
        this.path = ImmutableList.copyOf(path);
        this.indexes = ImmutableList.copyOf(indexes);
        this.statistics = requireNonNull(statistics, "statistics is null");
    }

    /**
     * Creates the writers of all fields with an order to which only rows lead.
     *
     * @param index index of the column in its column group
     */
    static List<FieldStatisticsWriter> create(AlbisColumn column, int index, KeyScratch scratch, boolean storesRunBounds)
    {
        ImmutableList.Builder<FieldStatisticsWriter> writers = ImmutableList.builder();
        new Builder(column, index, scratch, storesRunBounds, writers).add(new FieldTree(column.type(), column.fields()), 0, ImmutableList.of(), ImmutableList.of());
        return writers.build();
    }

    private record Builder(AlbisColumn column, int index, KeyScratch scratch, boolean storesRunBounds, ImmutableList.Builder<FieldStatisticsWriter> writers)
    {
        private void add(FieldTree tree, int node, List<Integer> path, List<Integer> indexes)
        {
            if (NestedKind.of(tree.type()).orElse(null) != NestedKind.ROW) {
                return;
            }
            int child = node + 1;
            List<Field> fields = tree.children();
            for (int field = 0; field < fields.size(); field++) {
                FieldTree fieldTree = fields.get(field).tree();
                List<Integer> fieldPath = append(path, fields.get(field).id());
                List<Integer> fieldIndexes = append(indexes, field);
                if (!NestedTypes.isNested(fieldTree.type()) && OrderKeys.of(fieldTree.type()).hasOrder()) {
                    AlbisColumn part = new AlbisColumn(column.id(), column.name(), fieldTree.type(), Optional.empty(), fieldTree.fields(), fieldPath);
                    writers.add(new FieldStatisticsWriter(index, child, fieldPath, fieldIndexes, new ColumnStatisticsWriter(part, scratch, storesRunBounds)));
                }
                add(fieldTree, child, fieldPath, fieldIndexes);
                child += NestedTypes.nodes(fieldTree.type());
            }
        }

        private static List<Integer> append(List<Integer> list, int element)
        {
            return ImmutableList.<Integer>builderWithExpectedSize(list.size() + 1).addAll(list).add(element).build();
        }
    }

    /**
     * Returns the index of the column in its column group.
     */
    int column()
    {
        return column;
    }

    /**
     * Returns the ids of the fields that lead from the column to the field.
     */
    List<Integer> path()
    {
        return path;
    }

    ColumnStatisticsWriter statistics()
    {
        return statistics;
    }

    /**
     * Adds rows that all belong to the same run.
     *
     * @param block values of the column
     */
    void append(ValueBlock block, int offset, int count)
    {
        ValueBlock values = rowField((RowBlock) block, indexes.getFirst(), offset, count);
        for (int index : indexes.subList(1, indexes.size())) {
            values = rowField((RowBlock) values, index, 0, count);
        }
        statistics.append(values, 0, count);
    }

    /**
     * Returns the statistics, or empty if no segment has bounds.
     */
    Optional<FieldStatistics> finish()
    {
        List<ColumnStatistics> segments = statistics.segments();
        if (segments.stream().noneMatch(segment -> segment.min().isPresent() || segment.max().isPresent())) {
            return Optional.empty();
        }
        return Optional.of(new FieldStatistics(column, node, segments, statistics.runBounds()));
    }
}
