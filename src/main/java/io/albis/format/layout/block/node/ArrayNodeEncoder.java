package io.albis.format.layout.block.node;

import com.google.common.collect.ImmutableList;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.NodeChunks;
import io.albis.format.run.Run;
import io.trino.spi.block.ArrayBlock;
import io.trino.spi.block.Block;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.MapBlock;
import io.trino.spi.block.ValueBlock;
import it.unimi.dsi.fastutil.ints.IntArrayList;

import java.io.IOException;
import java.util.List;

import static io.albis.format.type.FlatBlocks.flat;
import static java.util.Objects.requireNonNull;

/**
 * Collects arrays or maps. The own values are the numbers of elements. The elements of each run are a group of the
 * nodes below.
 */
final class ArrayNodeEncoder
        extends NodeEncoder
{
    private final ValueNodeEncoder own;
    // the elements, or the keys and the values
    private final List<NodeEncoder> children;
    // number of elements in each run
    private final IntArrayList elements = new IntArrayList();
    private int groupRows;

    ArrayNodeEncoder(ValueNodeEncoder own, List<NodeEncoder> children)
    {
        this.own = requireNonNull(own, "own is null");
        this.children = ImmutableList.copyOf(children);
    }

    @Override
    void startGroup()
    {
        own.startGroup();
        groupRows = 0;
    }

    @Override
    void append(ValueBlock block, int offset, int count)
    {
        int position = offset;
        while (position < offset + count) {
            if (groupRows % Run.MAX_ROWS == 0) {
                children.forEach(NodeEncoder::startGroup);
                elements.add(0);
            }
            int rows = Math.min(offset + count - position, Run.MAX_ROWS - groupRows % Run.MAX_ROWS);
            appendToRun(block, position, rows);
            groupRows += rows;
            position += rows;
        }
    }

    private void appendToRun(ValueBlock block, int offset, int count)
    {
        int base;
        int[] offsets;
        List<Block> values;
        switch (block) {
            case ArrayBlock arrays -> {
                base = arrays.getOffsetBase();
                offsets = arrays.getRawOffsets();
                values = List.of(arrays.getRawElementBlock());
            }
            case MapBlock maps -> {
                base = maps.getOffsetBase();
                offsets = maps.getRawOffsets();
                values = List.of(maps.getRawKeyBlock(), maps.getRawValueBlock());
            }
            default -> throw new IllegalArgumentException("Block contains neither arrays nor maps: " + block);
        }
        int[] lengths = new int[count];
        int total = 0;
        for (int i = 0; i < count; i++) {
            lengths[i] = block.isNull(offset + i) ? 0 : offsets[base + offset + i + 1] - offsets[base + offset + i];
            total += lengths[i];
        }
        own.append(new IntArrayBlock(count, validity(block, offset, count), lengths), 0, count);
        elements.set(elements.size() - 1, elements.getInt(elements.size() - 1) + total);
        int begin = offsets[base + offset];
        boolean contiguous = offsets[base + offset + count] - begin == total;
        for (int child = 0; child < children.size(); child++) {
            // some ways of creating a block let a null have elements, which are not stored
            ValueBlock childValues = contiguous ? flat(values.get(child), begin, total) : copy(values.get(child), offsets, base + offset, lengths, total);
            children.get(child).append(childValues, 0, total);
        }
    }

    private static ValueBlock copy(Block block, int[] offsets, int first, int[] lengths, int total)
    {
        int[] positions = new int[total];
        int filled = 0;
        for (int i = 0; i < lengths.length; i++) {
            for (int element = 0; element < lengths[i]; element++) {
                positions[filled] = block.getUnderlyingValuePosition(offsets[first + i] + element);
                filled++;
            }
        }
        return block.getUnderlyingValueBlock().copyPositions(positions, 0, total);
    }

    @Override
    void finish(ChunkOutput output, List<NodeChunks> nodes)
            throws IOException
    {
        nodes.add(own.finish(output, elements.toIntArray()));
        for (NodeEncoder child : children) {
            child.finish(output, nodes);
        }
        elements.clear();
        groupRows = 0;
    }

    @Override
    long size()
    {
        return own.size() + children.stream().mapToLong(NodeEncoder::size).sum();
    }

    @Override
    long retainedSize()
    {
        return own.retainedSize() + children.stream().mapToLong(NodeEncoder::retainedSize).sum();
    }
}
