package io.albis.format.layout.block.node;

import com.google.common.collect.ImmutableList;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.NodeChunks;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.ValueBlock;

import java.io.IOException;
import java.util.List;

import static io.albis.format.type.FlatBlocks.rowField;
import static java.util.Objects.requireNonNull;

/**
 * Collects rows. The own values are zeros and nulls, and each field has a value for each row.
 */
final class RowNodeEncoder
        extends NodeEncoder
{
    private final ValueNodeEncoder own;
    private final List<NodeEncoder> fields;

    RowNodeEncoder(ValueNodeEncoder own, List<NodeEncoder> fields)
    {
        this.own = requireNonNull(own, "own is null");
        this.fields = ImmutableList.copyOf(fields);
    }

    @Override
    void startGroup()
    {
        own.startGroup();
        fields.forEach(NodeEncoder::startGroup);
    }

    @Override
    void append(ValueBlock block, int offset, int count)
    {
        RowBlock rows = (RowBlock) block;
        own.append(new ByteArrayBlock(count, validity(rows, offset, count), new byte[count]), 0, count);
        for (int field = 0; field < fields.size(); field++) {
            fields.get(field).append(rowField(rows, field, offset, count), 0, count);
        }
    }

    @Override
    void finish(ChunkOutput output, List<NodeChunks> nodes)
            throws IOException
    {
        own.finish(output, nodes);
        for (NodeEncoder field : fields) {
            field.finish(output, nodes);
        }
    }

    @Override
    long size()
    {
        return own.size() + fields.stream().mapToLong(NodeEncoder::size).sum();
    }

    @Override
    long retainedSize()
    {
        return own.retainedSize() + fields.stream().mapToLong(NodeEncoder::retainedSize).sum();
    }
}
