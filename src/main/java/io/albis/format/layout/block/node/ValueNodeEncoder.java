package io.albis.format.layout.block.node;

import com.google.common.collect.ImmutableList;
import io.albis.format.layout.block.ColumnEncoder;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.NodeChunks;
import io.albis.format.run.Run;
import io.albis.format.run.Segment;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Collects the values of a scalar node, or the own values of another node. It keeps the blocks of all groups until the
 * segment ends, so that the chunks of a node follow each other in the file.
 */
final class ValueNodeEncoder
        extends NodeEncoder
{
    private static final int[] NO_ELEMENTS = {};

    private final ColumnEncoder encoder;
    private final int valueSize;
    private final List<List<ValueBlock>> groups = new ArrayList<>();
    private long size;
    private long blockBytes;

    /**
     * Creates an encoder that has no values yet.
     *
     * @param valueSize size of a value in memory, without the bytes of a text
     */
    ValueNodeEncoder(ColumnEncoder encoder, int valueSize)
    {
        this.valueSize = valueSize;
        this.encoder = requireNonNull(encoder, "encoder is null");
    }

    @Override
    void startGroup()
    {
        groups.add(new ArrayList<>());
    }

    @Override
    void append(ValueBlock block, int offset, int count)
    {
        if (count == 0) {
            return;
        }
        // a copy does not retain the page
        ValueBlock copy = block.copyRegion(offset, count);
        groups.getLast().add(copy);
        size += size(copy);
        blockBytes += copy.getRetainedSizeInBytes();
    }

    private long size(ValueBlock block)
    {
        long bytes = 0;
        if (block instanceof VariableWidthBlock values) {
            for (int position = 0; position < values.getPositionCount(); position++) {
                bytes += values.isNull(position) ? 0 : values.getSliceLength(position);
            }
        }
        return bytes + (long) valueSize * block.getPositionCount();
    }

    @Override
    void finish(ChunkOutput output, List<NodeChunks> nodes)
            throws IOException
    {
        nodes.add(finish(output, NO_ELEMENTS));
    }

    /**
     * Writes the values of all groups.
     *
     * @param elements number of elements in each run
     */
    NodeChunks finish(ChunkOutput output, int[] elements)
            throws IOException
    {
        ImmutableList.Builder<Chunk> chunks = ImmutableList.builder();
        for (List<ValueBlock> group : groups) {
            write(group, output, chunks);
        }
        groups.clear();
        size = 0;
        blockBytes = 0;
        return new NodeChunks(chunks.build(), elements);
    }

    private void write(List<ValueBlock> group, ChunkOutput output, ImmutableList.Builder<Chunk> chunks)
            throws IOException
    {
        int rows = 0;
        for (ValueBlock block : group) {
            int position = 0;
            while (position < block.getPositionCount()) {
                int count = Math.min(block.getPositionCount() - position, Run.MAX_ROWS - rows % Run.MAX_ROWS);
                encoder.append(block, position, count);
                position += count;
                rows += count;
                if (rows == Segment.MAX_ROWS) {
                    chunks.add(encoder.finish(output));
                    rows = 0;
                }
            }
        }
        if (rows > 0) {
            chunks.add(encoder.finish(output));
        }
    }

    @Override
    long size()
    {
        return size;
    }

    @Override
    long retainedSize()
    {
        return blockBytes + encoder.retainedSize();
    }
}
