package io.albis.format.run;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.SliceInput;
import io.albis.format.run.ChunkEncoding.Bits;
import io.albis.format.run.ChunkEncoding.Bytes;
import io.albis.format.run.ChunkEncoding.Constant;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.ChunkEncoding.Fixed;
import io.albis.format.run.ChunkEncoding.Nulls;
import io.albis.format.run.ChunkEncoding.Rows;
import io.albis.format.type.NestedKind;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import jakarta.annotation.Nullable;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The chunks that a segment has for a node of a column. The values of a node are divided into groups: the node of a
 * column has one group with all rows of the segment, and the elements of each run of an array or a map are a group.
 * Each group is divided into chunks of at most {@link Segment#MAX_ROWS} values, of which an empty group has none.
 */
public final class NodeSegment
{
    // null for a scalar node
    @Nullable
    private final NestedKind kind;
    private final int[] groupRows;
    // index of the first chunk of each group, and of its first run among all runs
    private final int[] firstChunks;
    private final int[] firstRuns;
    private final List<Chunk> chunks;
    private final int[] chunkRows;
    // for each run of an array or a map
    private final int[] elements;
    private final long rows;

    /**
     * Reads the chunks of all groups.
     *
     * @param kind the kind of the node; empty for a scalar node, and for the rows of the row layout
     * @param groupRows number of values of each group
     * @param elementsInput input with the number of elements of each run of an array or a map
     * @throws io.albis.format.io.TooNewException if a chunk contains a code that this reader does not know
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the input does not contain valid chunks
     */
    public static NodeSegment read(Optional<NestedKind> kind, int[] groupRows, SliceInput input, SliceInput elementsInput)
    {
        return new NodeSegment(kind.orElse(null), groupRows, input, elementsInput);
    }

    private NodeSegment(@Nullable NestedKind kind, int[] groupRows, SliceInput input, SliceInput elementsInput)
    {
        this.kind = kind;
        this.groupRows = groupRows;
        this.firstChunks = new int[groupRows.length];
        this.firstRuns = new int[groupRows.length];
        ImmutableList.Builder<Chunk> chunks = ImmutableList.builder();
        IntArrayList chunkRows = new IntArrayList();
        long rows = 0;
        int runs = 0;
        for (int group = 0; group < groupRows.length; group++) {
            firstChunks[group] = chunkRows.size();
            firstRuns[group] = runs;
            rows += groupRows[group];
            // each chunk takes some bytes of the input, which bounds their number
            for (long begin = 0; begin < groupRows[group]; begin += Segment.MAX_ROWS) {
                int count = (int) Math.min(Segment.MAX_ROWS, groupRows[group] - begin);
                Chunk chunk = ChunkCodec.read(input, count);
                checkArgument(kind != NestedKind.ROW || hasNoValues(chunk), "the chunk of a row has values");
                chunks.add(chunk);
                chunkRows.add(count);
                runs += Segment.runs(count);
            }
        }
        this.rows = rows;
        this.chunks = chunks.build();
        this.chunkRows = chunkRows.toIntArray();
        this.elements = readElements(kind != null && kind.isRepeated() ? runs : 0, elementsInput);
    }

    private static boolean hasNoValues(Chunk chunk)
    {
        return switch (chunk.encoding()) {
            case Nulls _ -> true;
            case Constant(byte[] value) -> value.length == 1 && value[0] == 0;
            case Fixed _ -> {
                boolean empty = true;
                for (Run run : chunk.runs()) {
                    empty &= run.encoding().equals(RunEncoding.Fixed.EMPTY);
                }
                yield empty;
            }
            case Rows _, Bytes _, Dictionary _, Bits _ -> false;
        };
    }

    private static int[] readElements(int runs, SliceInput input)
    {
        checkArgument((long) runs * Integer.BYTES <= input.available(), "the numbers of elements of %s runs are missing", runs);
        int[] elements = new int[runs];
        for (int run = 0; run < runs; run++) {
            elements[run] = input.readInt();
            checkArgument(elements[run] >= 0, "a run has %s elements", elements[run]);
        }
        return elements;
    }

    /**
     * Returns the number of values of all groups.
     */
    public long rows()
    {
        return rows;
    }

    /**
     * Returns the number of values of each group of the nodes directly below. Callers must not modify the array.
     */
    public int[] childGroups()
    {
        return kind == NestedKind.ROW ? groupRows : elements;
    }

    /**
     * Returns the number of values of a group.
     */
    public int groupRows(int group)
    {
        return groupRows[group];
    }

    public List<Chunk> chunks()
    {
        return chunks;
    }

    /**
     * Returns the number of values of a chunk.
     */
    public int chunkRows(int chunk)
    {
        return chunkRows[chunk];
    }

    /**
     * Returns the index of the chunk that contains a value of a group.
     */
    public int chunk(int group, int row)
    {
        return firstChunks[group] + row / Segment.MAX_ROWS;
    }

    /**
     * Returns the index of the run that contains a value of a group, among all runs of the segment. The elements of
     * this run are the group with the same index of the nodes directly below.
     */
    public int run(int group, int row)
    {
        return firstRuns[group] + row / Run.MAX_ROWS;
    }

    /**
     * Returns the number of elements of a run of an array or a map.
     *
     * @param run index among all runs of the segment
     */
    public int elements(int run)
    {
        return elements[run];
    }
}
