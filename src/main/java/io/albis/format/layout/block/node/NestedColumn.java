package io.albis.format.layout.block.node;

import io.albis.format.layout.block.ColumnEncoder;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.NodeChunks;
import io.albis.format.type.NestedSizes;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/**
 * Collects a nested column of a segment as a tree of nodes.
 */
final class NestedColumn
        implements SegmentColumn
{
    private final Type type;
    private final NodeEncoder root;
    private boolean empty = true;

    /**
     * Creates the nodes of a column, which have no values yet.
     *
     * @param encoders creates the encoder of the values of a scalar type
     */
    NestedColumn(Type type, Function<Type, ColumnEncoder> encoders)
    {
        this.type = requireNonNull(type, "type is null");
        this.root = NodeEncoder.create(type, encoders);
    }

    @Override
    public int rowsThatFit(ValueBlock block, int offset, int count, long limit)
    {
        long left = limit;
        for (int i = 0; i < count; i++) {
            left -= NestedSizes.size(type, block, offset + i);
            if (left < 0) {
                return i;
            }
        }
        return count;
    }

    @Override
    public void append(ValueBlock block, int offset, int count)
    {
        if (empty) {
            root.startGroup();
            empty = false;
        }
        root.append(block, offset, count);
    }

    @Override
    public long size()
    {
        return root.size();
    }

    @Override
    public List<NodeChunks> finish(ChunkOutput output)
            throws IOException
    {
        List<NodeChunks> nodes = new ArrayList<>();
        root.finish(output, nodes);
        empty = true;
        return nodes;
    }

    @Override
    public long retainedSize()
    {
        return root.retainedSize();
    }
}
