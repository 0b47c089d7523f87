package io.albis.format.layout.block.node;

import com.google.common.collect.ImmutableList;
import io.albis.format.run.Run;
import io.trino.spi.block.ArrayBlock;
import io.trino.spi.block.Bitmap;
import io.trino.spi.block.Block;
import io.trino.spi.block.MapBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.type.MapType;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Decodes arrays and maps. The lengths of a run show where the elements of each of its rows are, so only the elements
 * of the requested rows are read.
 */
final class ArrayNodeDecoder
        extends NodeDecoder
{
    private final Type type;
    private final RunLengths lengths;
    // the elements, or the keys and the values
    private final List<NodeDecoder> children;

    ArrayNodeDecoder(Type type, ValueNodeDecoder own, List<NodeDecoder> children)
    {
        this.type = requireNonNull(type, "type is null");
        this.lengths = new RunLengths(own);
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
                lengths.load(rows.group(range), runBegin);
                elements.add(lengths.run(), lengths.offset(begin - runBegin), lengths.offset(end - runBegin));
                for (int row = begin - runBegin; row < end - runBegin; row++) {
                    if (lengths.isNull(row)) {
                        nulls++;
                    }
                    else {
                        Bitmap.set(valid, 0, filled);
                    }
                    offsets[filled + 1] = offsets[filled] + lengths.offset(row + 1) - lengths.offset(row);
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
        long size = lengths.retainedSize();
        for (NodeDecoder child : children) {
            size += child.retainedSize();
        }
        return size;
    }

    private Block build(int count, Optional<long[]> valid, int[] offsets, NodeRows elements)
            throws IOException
    {
        if (!(type instanceof MapType mapType)) {
            return ArrayBlock.fromElementBlock(count, valid, offsets, children.getFirst().decode(elements));
        }
        Block keys = children.getFirst().decode(elements);
        checkKeys(keys);
        return MapBlock.fromKeyValueBlock(valid, offsets, keys, children.getLast().decode(elements), mapType);
    }

    /**
     * Checks the keys of maps.
     *
     * @throws IllegalArgumentException if one is null
     */
    static void checkKeys(Block keys)
    {
        for (int position = 0; keys.mayHaveNull() && position < keys.getPositionCount(); position++) {
            if (keys.isNull(position)) {
                throw new IllegalArgumentException("a key of a map is null");
            }
        }
    }
}
