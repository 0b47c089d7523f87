package io.albis.format.write;

import com.google.common.collect.ImmutableList;
import io.albis.format.layout.SegmentEncoder;
import io.albis.format.layout.block.node.BlockSegmentEncoder;
import io.albis.format.layout.row.RowSegmentEncoder;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.NodeChunks;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.NestedTypes;
import io.trino.spi.block.ValueBlock;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Encodes a segment of a column group in the row layout that has scalar and nested columns: the scalar columns row by
 * row, and after them each nested column as in the block layout. A segment is full if the rows or a nested column have
 * its size.
 */
final class RowLayoutEncoder
        implements SegmentEncoder
{
    private final SegmentEncoder rows;
    private final SegmentEncoder nested;
    // the columns of each encoder
    private final int[] rowColumns;
    private final int[] nestedColumns;

    /**
     * Creates an encoder for any columns of a column group in the row layout.
     */
    static SegmentEncoder create(List<AlbisColumn> columns, WriterOptions options)
    {
        Predicate<AlbisColumn> isNested = column -> NestedTypes.isNested(column.type());
        if (columns.stream().noneMatch(isNested)) {
            return new RowSegmentEncoder(columns, options.segmentBytes());
        }
        if (columns.stream().allMatch(isNested)) {
            return new BlockSegmentEncoder(columns, options.segmentBytes(), options.blockEncoding());
        }
        int[] rowColumns = IntStream.range(0, columns.size()).filter(column -> !isNested.test(columns.get(column))).toArray();
        int[] nestedColumns = IntStream.range(0, columns.size()).filter(column -> isNested.test(columns.get(column))).toArray();
        return new RowLayoutEncoder(
                new RowSegmentEncoder(select(columns, rowColumns), options.segmentBytes()),
                new BlockSegmentEncoder(select(columns, nestedColumns), options.segmentBytes(), options.blockEncoding()),
                rowColumns,
                nestedColumns);
    }

    private RowLayoutEncoder(SegmentEncoder rows, SegmentEncoder nested, int[] rowColumns, int[] nestedColumns)
    {
        this.rows = requireNonNull(rows, "rows is null");
        this.nested = requireNonNull(nested, "nested is null");
        this.rowColumns = requireNonNull(rowColumns, "rowColumns is null");
        this.nestedColumns = requireNonNull(nestedColumns, "nestedColumns is null");
        checkArgument(rowColumns.length > 0 && nestedColumns.length > 0, "the columns are all scalar or all nested");
    }

    @Override
    public void prepare(ValueBlock[] blocks, int positionCount)
    {
        rows.prepare(select(blocks, rowColumns), positionCount);
        nested.prepare(select(blocks, nestedColumns), positionCount);
    }

    @Override
    public int rowsThatFit(ValueBlock[] blocks, int offset, int count)
    {
        int fitting = rows.rowsThatFit(select(blocks, rowColumns), offset, count);
        return nested.rowsThatFit(select(blocks, nestedColumns), offset, fitting);
    }

    @Override
    public boolean isFull()
    {
        return rows.isFull() || nested.isFull();
    }

    @Override
    public void append(ValueBlock[] blocks, int offset, int count)
    {
        rows.append(select(blocks, rowColumns), offset, count);
        nested.append(select(blocks, nestedColumns), offset, count);
    }

    @Override
    public long size()
    {
        return rows.size() + nested.size();
    }

    @Override
    public List<NodeChunks> finish(ChunkOutput output)
            throws IOException
    {
        return ImmutableList.<NodeChunks>builder()
                .addAll(rows.finish(output))
                .addAll(nested.finish(output))
                .build();
    }

    @Override
    public long retainedSize()
    {
        return rows.retainedSize() + nested.retainedSize();
    }

    private static List<AlbisColumn> select(List<AlbisColumn> columns, int[] selected)
    {
        ImmutableList.Builder<AlbisColumn> result = ImmutableList.builderWithExpectedSize(selected.length);
        for (int column : selected) {
            result.add(columns.get(column));
        }
        return result.build();
    }

    private static ValueBlock[] select(ValueBlock[] blocks, int[] selected)
    {
        ValueBlock[] result = new ValueBlock[selected.length];
        for (int column = 0; column < selected.length; column++) {
            result[column] = blocks[selected[column]];
        }
        return result;
    }
}
