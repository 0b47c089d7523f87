package io.albis.format.layout.block;

import io.albis.format.run.RowRanges;
import io.albis.format.run.RunRows;
import io.albis.format.run.SegmentRows;

import java.util.ArrayList;
import java.util.List;

import static io.albis.format.run.SegmentRows.inRun;

/**
 * Copies variable-width values of several runs into one array. Values that are next to each other in their run are
 * copied together. All sizes are added up before any bytes are copied, so that the array never has to grow.
 */
final class BytesGatherer
{
    private static final int MAX_PAGE_BYTES = Integer.MAX_VALUE - Long.BYTES;

    private final SegmentRows rows;
    // offset of each value in the result, followed by the end of the last value
    private final int[] offsets;
    private int filled;

    // offset of each piece in the array of its run, and the position after its last value
    private final int[] sources;
    private final int[] ends;
    private int pieces;
    private final List<RunPieces> runs = new ArrayList<>();

    private record RunPieces(byte[] bytes, int endPiece) {}

    BytesGatherer(SegmentRows rows)
    {
        this.rows = rows;
        this.offsets = new int[rows.count() + 1];
        int maxPieces = 0;
        for (RunRows part : rows.byRun()) {
            maxPieces += part.pieces();
        }
        this.sources = new int[maxPieces];
        this.ends = new int[maxPieces];
    }

    /**
     * Adds the values of the next rows.
     *
     * @param bytes array of the run of these rows
     * @param values offset of the first value in the array
     * @param runOffsets offset of each value relative to the first one, followed by the end of the last value
     */
    void add(RunRows part, byte[] bytes, int values, int[] runOffsets)
    {
        if (part.ranges().isPresent()) {
            addRanges(part.ranges().get(), values, runOffsets);
        }
        else {
            addSome(part, values, runOffsets);
        }
        runs.add(new RunPieces(bytes, pieces));
    }

    private void addRanges(RowRanges ranges, int values, int[] runOffsets)
    {
        for (int range = 0; range < ranges.size(); range++) {
            int begin = ranges.begin(range);
            int count = ranges.end(range) - begin;
            int first = runOffsets[begin];
            int output = offsets[filled];
            checkSize((long) output + runOffsets[begin + count] - first);
            for (int i = 1; i <= count; i++) {
                offsets[filled + i] = runOffsets[begin + i] - first + output;
            }
            filled += count;
            addPiece(values + first);
        }
    }

    private void addSome(RunRows part, int values, int[] runOffsets)
    {
        int[] list = rows.list();
        // no value begins there
        int nextSource = -1;
        for (int i = part.begin(); i < part.end(); i++) {
            int row = inRun(list[i]);
            int source = values + runOffsets[row];
            int length = runOffsets[row + 1] - runOffsets[row];
            checkSize((long) offsets[filled] + length);
            offsets[filled + 1] = offsets[filled] + length;
            filled++;
            if (source == nextSource) {
                ends[pieces - 1] = filled;
            }
            else {
                addPiece(source);
            }
            nextSource = source + length;
        }
    }

    private void addPiece(int source)
    {
        sources[pieces] = source;
        ends[pieces] = filled;
        pieces++;
    }

    private static void checkSize(long size)
    {
        if (size > MAX_PAGE_BYTES) {
            throw new IllegalArgumentException("the values of a page exceed 2 GB");
        }
    }

    /**
     * Returns the offset of each value, followed by the end of the last value.
     */
    int[] offsets()
    {
        return offsets;
    }

    /**
     * Copies the values of all rows.
     */
    byte[] copy()
    {
        byte[] values = new byte[offsets[filled]];
        int piece = 0;
        int output = 0;
        for (RunPieces run : runs) {
            for (; piece < run.endPiece(); piece++) {
                int end = offsets[ends[piece]];
                System.arraycopy(run.bytes(), sources[piece], values, output, end - output);
                output = end;
            }
        }
        return values;
    }
}
