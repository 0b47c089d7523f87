package io.albis.format.layout.block.node;

import io.albis.format.layout.block.ChunkDecoder;
import io.albis.format.run.ChunkSource;
import io.albis.format.run.NodeSegment;
import io.albis.format.run.Run;
import io.albis.format.run.Segment;
import io.albis.format.run.SegmentRows;
import io.albis.format.type.EqualValues;
import io.trino.spi.block.Block;
import io.trino.spi.type.Type;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Decodes the values of a scalar node, or the own values of another node. Runs of which all values are requested are
 * decoded as a whole, and the values of other runs are gathered.
 */
final class ValueNodeDecoder
        extends NodeDecoder
{
    private static final int NONE = -1;

    private final Type type;
    private final NodeSource source;
    private int chunk = NONE;
    @Nullable
    private ChunkDecoder decoder;

    ValueNodeDecoder(Type type, NodeSource source)
    {
        this.type = requireNonNull(type, "type is null");
        this.source = requireNonNull(source, "source is null");
    }

    NodeSegment segment()
            throws IOException
    {
        return source.segment();
    }

    @Override
    public Block decode(NodeRows rows)
            throws IOException
    {
        List<Block> parts = new ArrayList<>();
        IntArrayList begins = new IntArrayList();
        IntArrayList ends = new IntArrayList();
        int current = NONE;
        for (int range = 0; range < rows.ranges(); range++) {
            int begin = rows.begin(range);
            while (begin < rows.end(range)) {
                int index = segment().chunk(rows.group(range), begin);
                int chunkBegin = begin / Segment.MAX_ROWS * Segment.MAX_ROWS;
                int end = (int) Math.min(rows.end(range), (long) chunkBegin + Segment.MAX_ROWS);
                if (index != current) {
                    decodeChunk(current, begins, ends, parts);
                    current = index;
                }
                begins.add(begin - chunkBegin);
                ends.add(end - chunkBegin);
                begin = end;
            }
        }
        decodeChunk(current, begins, ends, parts);
        return EqualValues.protect(type, BlockParts.join(type, parts));
    }

    @Override
    public long retainedSize()
    {
        return decoder == null ? 0 : decoder.retainedSize();
    }

    /**
     * Decodes ranges of values of one chunk, and removes the ranges from the lists.
     */
    private void decodeChunk(int index, IntArrayList begins, IntArrayList ends, List<Block> parts)
            throws IOException
    {
        if (begins.isEmpty()) {
            return;
        }
        int runs = 0;
        for (int range = 0; range < begins.size(); range++) {
            int first = SegmentRows.run(begins.getInt(range));
            int last = SegmentRows.run(ends.getInt(range) - 1);
            runs |= (1 << (last + 1)) - (1 << first);
        }
        open(index, runs);
        int chunkRows = segment().chunkRows(index);
        IntArrayList some = new IntArrayList();
        for (int range = 0; range < begins.size(); range++) {
            int begin = begins.getInt(range);
            while (begin < ends.getInt(range)) {
                int run = SegmentRows.run(begin);
                int runRows = Segment.runRows(chunkRows, run);
                int end = Math.min(ends.getInt(range), run * Run.MAX_ROWS + runRows);
                if (end - begin == runRows) {
                    decodeSome(some, parts);
                    parts.add(decoder.decode(SegmentRows.ofRun(run, runRows)));
                }
                else {
                    for (int row = begin; row < end; row++) {
                        some.add(row);
                    }
                }
                begin = end;
            }
        }
        decodeSome(some, parts);
        begins.clear();
        ends.clear();
    }

    private void open(int index, int runs)
            throws IOException
    {
        // the source goes to the chunk again even if it is the same, because other runs may be requested
        ChunkSource bytes = source.open(index, runs);
        if (chunk != index) {
            decoder = new ChunkDecoder(type, segment().chunks().get(index), bytes);
            chunk = index;
        }
    }

    private void decodeSome(IntArrayList some, List<Block> parts)
            throws IOException
    {
        if (!some.isEmpty()) {
            parts.add(decoder.decode(SegmentRows.ofRows(some.toIntArray())));
            some.clear();
        }
    }
}
