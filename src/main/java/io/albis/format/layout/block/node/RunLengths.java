package io.albis.format.layout.block.node;

import io.albis.format.run.NodeSegment;
import io.albis.format.run.Run;
import io.trino.spi.block.Block;
import io.trino.spi.block.IntArrayBlock;
import jakarta.annotation.Nullable;

import java.io.IOException;

import static io.airlift.slice.SizeOf.sizeOf;
import static java.util.Objects.requireNonNull;

/**
 * Decodes the lengths of arrays or maps, one run at a time. They show where the elements of each row of the run are.
 */
final class RunLengths
{
    private static final int NONE = -1;

    private final ValueNodeDecoder own;

    // the run whose lengths were decoded last, and where the elements of each of its rows begin
    private int run = NONE;
    private int[] offsets = {};
    @Nullable
    private Block lengths;

    RunLengths(ValueNodeDecoder own)
    {
        this.own = requireNonNull(own, "own is null");
    }

    /**
     * Decodes the lengths of a run.
     *
     * @param begin the first row of the run in its group
     * @throws IllegalArgumentException if the lengths contradict the metadata
     */
    void load(int group, int begin)
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
        offsets = new int[rows.count() + 1];
        // the number of elements in the metadata is limited, and so is the memory that a sum equal to it can cause
        long total = 0;
        for (int row = 0; row < rows.count(); row++) {
            int length = lengths.isNull(row) ? 0 : length(lengths, row);
            total += length;
            if (length < 0 || total > segment.elements(index)) {
                throw new IllegalArgumentException("the lengths of run %s do not have the sum %s, which the metadata states".formatted(index, segment.elements(index)));
            }
            offsets[row + 1] = (int) total;
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

    /**
     * Returns the index of the run among all runs of the segment, which is the group of its elements.
     */
    int run()
    {
        return run;
    }

    /**
     * Returns where the elements of a row begin in their group.
     *
     * @param row row of the run, or the number of its rows
     */
    int offset(int row)
    {
        return offsets[row];
    }

    boolean isNull(int row)
    {
        return lengths.isNull(row);
    }

    long retainedSize()
    {
        return own.retainedSize() + sizeOf(offsets) + (lengths == null ? 0 : lengths.getRetainedSizeInBytes());
    }
}
