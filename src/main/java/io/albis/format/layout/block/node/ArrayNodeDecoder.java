package io.albis.format.layout.block.node;

import com.google.common.collect.ImmutableList;
import io.albis.format.run.NodeSegment;
import io.albis.format.run.Run;
import io.trino.spi.block.ArrayBlock;
import io.trino.spi.block.Bitmap;
import io.trino.spi.block.Block;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.MapBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.type.MapType;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

import static io.airlift.slice.SizeOf.sizeOf;
import static java.util.Objects.requireNonNull;

/**
 * Decodes arrays and maps. The lengths of a run show where the elements of each of its rows are, so only the elements
 * of the requested rows are read.
 */
final class ArrayNodeDecoder
        extends NodeDecoder
{
    private static final int NONE = -1;

    private final Type type;
    private final ValueNodeDecoder own;
    // the elements, or the keys and the values
    private final List<NodeDecoder> children;

    // the run whose lengths were decoded last, and where the elements of each of its rows begin
    private int run = NONE;
    private int[] runOffsets = {};
    @Nullable
    private Block lengths;

    ArrayNodeDecoder(Type type, ValueNodeDecoder own, List<NodeDecoder> children)
    {
        this.type = requireNonNull(type, "type is null");
        this.own = requireNonNull(own, "own is null");
        this.children = ImmutableList.copyOf(children);
    }

    @Override
    public Block decode(NodeRows rows)
            throws IOException
    {
        int[] offsets = new int[rows.count() + 1];
        long[] valid = new long[Bitmap.wordsForBits(rows.count())];
        NodeRows elements = new NodeRows();
        int filled = 0;
        int nulls = 0;
        for (int range = 0; range < rows.ranges(); range++) {
            int begin = rows.begin(range);
            while (begin < rows.end(range)) {
                int runBegin = begin / Run.MAX_ROWS * Run.MAX_ROWS;
                int end = Math.min(rows.end(range), runBegin + Run.MAX_ROWS);
                load(rows.group(range), runBegin);
                int first = runOffsets[begin - runBegin];
                elements.add(run, first, runOffsets[end - runBegin]);
                for (int row = begin - runBegin; row < end - runBegin; row++) {
                    if (lengths.isNull(row)) {
                        nulls++;
                    }
                    else {
                        Bitmap.set(valid, 0, filled);
                    }
                    offsets[filled + 1] = offsets[filled] + runOffsets[row + 1] - runOffsets[row];
                    filled++;
                }
                begin = end;
            }
        }
        if (nulls == filled && filled > 0) {
            return RunLengthEncodedBlock.create(type, null, filled);
        }
        return build(filled, nulls == 0 ? Optional.empty() : Optional.of(valid), offsets, elements);
    }

    @Override
    public long retainedSize()
    {
        long size = own.retainedSize() + sizeOf(runOffsets) + (lengths == null ? 0 : lengths.getRetainedSizeInBytes());
        for (NodeDecoder child : children) {
            size += child.retainedSize();
        }
        return size;
    }

    /**
     * Decodes the lengths of a run.
     *
     * @param begin the first row of the run in its group
     */
    private void load(int group, int begin)
            throws IOException
    {
        NodeSegment segment = own.segment();
        int index = segment.run(group, begin);
        if (run == index) {
            return;
        }
        run = NONE;
        NodeRows rows = new NodeRows();
        rows.add(group, begin, Math.min(segment.groupRows(group), begin + Run.MAX_ROWS));
        lengths = own.decode(rows);
        runOffsets = new int[rows.count() + 1];
        // the number of elements in the metadata is limited, and so is the memory that a sum equal to it can cause
        long total = 0;
        for (int row = 0; row < rows.count(); row++) {
            int length = lengths.isNull(row) ? 0 : length(lengths, row);
            total += length;
            if (length < 0 || total > segment.elements(index)) {
                throw new IllegalArgumentException("the lengths of run %s do not have the sum %s, which the metadata states".formatted(index, segment.elements(index)));
            }
            runOffsets[row + 1] = (int) total;
        }
        if (total != segment.elements(index)) {
            throw new IllegalArgumentException("the lengths of run %s have the sum %s, but the metadata states %s".formatted(index, total, segment.elements(index)));
        }
        run = index;
    }

    private static int length(Block lengths, int row)
    {
        return ((IntArrayBlock) lengths.getUnderlyingValueBlock()).getInt(lengths.getUnderlyingValuePosition(row));
    }

    private Block build(int count, Optional<long[]> valid, int[] offsets, NodeRows elements)
            throws IOException
    {
        if (!(type instanceof MapType mapType)) {
            return ArrayBlock.fromElementBlock(count, valid, offsets, children.getFirst().decode(elements));
        }
        Block keys = children.getFirst().decode(elements);
        for (int position = 0; keys.mayHaveNull() && position < keys.getPositionCount(); position++) {
            if (keys.isNull(position)) {
                throw new IllegalArgumentException("a key of a map is null");
            }
        }
        return MapBlock.fromKeyValueBlock(valid, offsets, keys, children.getLast().decode(elements), mapType);
    }
}
