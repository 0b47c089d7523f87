package io.albis.format.layout.block.node;

import com.google.common.collect.ImmutableList;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.NodeChunks;
import io.trino.spi.block.Block;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.ValueBlock;

import java.io.IOException;
import java.util.List;

import static io.albis.format.type.FlatBlocks.flat;
import static io.albis.format.type.FlatBlocks.valuePositions;
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
            Block values = rows.getRawFieldBlock(field).getRegion(rows.getOffsetBase() + offset, count);
            fields.get(field).append(flat(nullsOf(rows, offset, values), 0, count), 0, count);
        }
    }

    /**
     * Returns the values of a field, and null where the row is null. Blocks should already be null there, but only
     * some ways of creating one check this.
     */
    private static Block nullsOf(RowBlock rows, int offset, Block values)
    {
        int[] positions = null;
        for (int position = 0; position < values.getPositionCount() && rows.mayHaveNull(); position++) {
            if (rows.isNull(offset + position) && !values.isNull(position)) {
                positions = positions == null ? valuePositions(values, 0, values.getPositionCount()) : positions;
                positions[position] = values.getUnderlyingValueBlock().getPositionCount();
            }
        }
        return positions == null ? values : values.getUnderlyingValueBlock().copyWithAppendedNull().copyPositions(positions, 0, positions.length);
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
