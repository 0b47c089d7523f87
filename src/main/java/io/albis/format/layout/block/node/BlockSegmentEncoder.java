package io.albis.format.layout.block.node;

import com.google.common.collect.ImmutableList;
import io.albis.format.layout.SegmentEncoder;
import io.albis.format.layout.block.BlockEncoding;
import io.albis.format.layout.block.ColumnEncoder;
import io.albis.format.layout.block.FixedDictionaryBuilder;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.NodeChunks;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.NestedTypes;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Encodes a segment column by column. The widest column determines when the segment is full.
 */
public final class BlockSegmentEncoder
        implements SegmentEncoder
{
    private final int segmentBytes;
    // shared, because the columns write their segments one after the other
    private final FixedDictionaryBuilder dictionaryBuilder = new FixedDictionaryBuilder();
    private final List<SegmentColumn> columns;

    public BlockSegmentEncoder(List<AlbisColumn> columns, int segmentBytes, BlockEncoding encoding)
    {
        this.segmentBytes = segmentBytes;
        this.columns = columns.stream()
                .map(column -> create(column.type(), type -> ColumnEncoder.create(type, encoding, dictionaryBuilder)))
                .collect(toImmutableList());
    }

    private static SegmentColumn create(Type type, Function<Type, ColumnEncoder> encoders)
    {
        return NestedTypes.isNested(type) ? new NestedColumn(type, encoders) : new SegmentColumn.Scalar(encoders.apply(type));
    }

    @Override
    public void prepare(ValueBlock[] blocks, int positionCount) {}

    @Override
    public int rowsThatFit(ValueBlock[] blocks, int offset, int count)
    {
        int fitting = count;
        for (int column = 0; column < blocks.length; column++) {
            SegmentColumn encoder = columns.get(column);
            fitting = encoder.rowsThatFit(blocks[column], offset, fitting, segmentBytes - encoder.size());
        }
        return fitting;
    }

    @Override
    public boolean isFull()
    {
        for (SegmentColumn column : columns) {
            if (column.size() >= segmentBytes) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void append(ValueBlock[] blocks, int offset, int count)
    {
        for (int column = 0; column < blocks.length; column++) {
            columns.get(column).append(blocks[column], offset, count);
        }
    }

    @Override
    public long size()
    {
        long size = 0;
        for (SegmentColumn column : columns) {
            size += column.size();
        }
        return size;
    }

    @Override
    public List<NodeChunks> finish(ChunkOutput output)
            throws IOException
    {
        ImmutableList.Builder<NodeChunks> nodes = ImmutableList.builderWithExpectedSize(columns.size());
        for (SegmentColumn column : columns) {
            nodes.addAll(column.finish(output));
        }
        return nodes.build();
    }

    @Override
    public long retainedSize()
    {
        long size = dictionaryBuilder.retainedSize();
        for (SegmentColumn column : columns) {
            size += column.retainedSize();
        }
        return size;
    }
}
