package io.albis.format.layout.block;

import io.albis.format.run.RowRanges;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunEncoding.Bytes;
import io.albis.format.run.RunPages;
import io.albis.format.run.RunRows;
import io.albis.format.run.SegmentRows;
import io.albis.format.vector.NarrowValues;

import java.util.Arrays;

import static io.albis.format.run.RunEncoding.Bytes.ANCHOR_ROWS;
import static io.albis.format.run.SegmentRows.inRun;

/**
 * Finds the values of a run of variable-width values: by the lengths, which precede the bytes, and by the anchors, with
 * which the values of a few rows are found without adding up the lengths of all rows before them.
 */
final class BytesOffsets
{
    private final RunBytes run;
    private final int lengthWidth;
    private final int baseLength;
    private final long mask;
    // offsets of the lengths, the anchors, and the values in the array of the run
    private final int lengths;
    private final int anchors;
    private final int values;
    // size of all values in bytes
    private final int size;

    /**
     * Finds the lengths, the anchors, and the values in a run.
     *
     * @throws IllegalArgumentException if the run is too short for its lengths
     */
    BytesOffsets(RunBytes run)
    {
        Bytes encoding = (Bytes) run.encoding();
        this.run = run;
        this.lengthWidth = encoding.lengthWidth();
        this.baseLength = encoding.baseLength();
        this.mask = NarrowValues.mask(lengthWidth);
        boolean empty = run.nulls() == run.rows();
        int rows = empty ? 0 : run.rows();
        this.lengths = run.offset() + (empty ? 0 : run.validityLength());
        this.anchors = lengths + lengthWidth * rows;
        this.values = anchors + encoding.anchorsLength(rows);
        this.size = run.offset() + run.length() - values;
        if (size < 0) {
            throw new IllegalArgumentException("%s bytes cannot contain the lengths of %s values".formatted(run.length(), rows));
        }
        if (empty && size > 0) {
            throw new IllegalArgumentException("a run of %s nulls must be empty, but has %s bytes".formatted(run.rows(), run.length()));
        }
    }

    /**
     * Returns the offset of the first value in the array of the run.
     */
    int values()
    {
        return values;
    }

    /**
     * Adds the pages that {@link #readRange} or {@link #readSome} needs to find the values of some rows. If all values
     * have the same length, these are the pages of the values, too.
     *
     * @param part those of the rows that are in the run
     */
    void addLengths(RunPages pages, SegmentRows rows, RunRows part)
    {
        pages.add(0, lengths - run.offset());
        if (lengthWidth == 0) {
            pages.addValues(values - run.offset(), baseLength, rows, part);
            return;
        }
        if (part.ranges().isPresent()) {
            int first = part.ranges().get().first();
            for (int row = first / ANCHOR_ROWS * ANCHOR_ROWS; row < first + part.ranges().get().span(); row += ANCHOR_ROWS) {
                addGroup(pages, row);
            }
        }
        else {
            for (int i = part.begin(); i < part.end(); i++) {
                addGroup(pages, inRun(rows.get(i)) / ANCHOR_ROWS * ANCHOR_ROWS);
            }
        }
        pages.expect(part.pieces());
    }

    /**
     * Adds the pages of the lengths that belong to one anchor, of this anchor, and of the next one.
     */
    private void addGroup(RunPages pages, int begin)
    {
        int end = Math.min(begin + ANCHOR_ROWS, run.rows());
        pages.add(lengths - run.offset() + lengthWidth * begin, lengths - run.offset() + lengthWidth * end);
        int next = anchors + begin / ANCHOR_ROWS * Integer.BYTES;
        pages.add(Math.max(next - Integer.BYTES, anchors) - run.offset(), Math.min(next + Integer.BYTES, values) - run.offset());
    }

    /**
     * Adds the pages of the values of some rows.
     *
     * @param part those of the rows that are in the run
     * @param offsets the offsets of the values relative to the first one
     */
    void addValues(RunPages pages, SegmentRows rows, RunRows part, int[] offsets)
    {
        int begin = values - run.offset();
        if (part.ranges().isPresent()) {
            RowRanges ranges = part.ranges().get();
            for (int range = 0; range < ranges.size(); range++) {
                pages.add(begin + offsets[ranges.begin(range)], begin + offsets[ranges.end(range)]);
            }
        }
        else {
            for (int i = part.begin(); i < part.end(); i++) {
                int row = inRun(rows.get(i));
                pages.add(begin + offsets[row], begin + offsets[row + 1]);
            }
        }
    }

    /**
     * Decodes the offsets of all values.
     *
     * @param offsets receives the offset of each value relative to the first one, followed by the end of the last value
     * @throws IllegalArgumentException if the lengths do not match the length of the run
     */
    void readAll(int[] offsets)
    {
        readRange(0, run.rows(), offsets);
    }

    /**
     * Decodes the offsets of the values of consecutive rows, and the end of the last of them. Other offsets are
     * undefined.
     */
    void readRange(int first, int count, int[] offsets)
    {
        if (run.nulls() == run.rows()) {
            Arrays.fill(offsets, first, first + count + 1, 0);
            return;
        }
        for (int begin = first / ANCHOR_ROWS * ANCHOR_ROWS; begin < first + count; begin += ANCHOR_ROWS) {
            readGroup(begin, offsets);
        }
    }

    /**
     * Decodes the offsets of the values of some rows. Other offsets are undefined.
     *
     * @param rows rows within the segment, of which those from {@code begin} to {@code end} (exclusive) are in this run
     */
    void readSome(int[] rows, int begin, int end, int[] offsets)
    {
        if (run.nulls() == run.rows()) {
            readAll(offsets);
            return;
        }
        // the rows are in any order
        int current = -1;
        for (int i = begin; i < end; i++) {
            int group = inRun(rows[i]) / ANCHOR_ROWS;
            if (group != current) {
                readGroup(group * ANCHOR_ROWS, offsets);
                current = group;
            }
        }
    }

    /**
     * Decodes the offsets of the values that belong to one anchor. They must end where the next anchor begins, so that
     * the offsets of all groups form one sequence.
     */
    private void readGroup(int begin, int[] offsets)
    {
        int rows = Math.min(ANCHOR_ROWS, run.rows() - begin);
        long offset = anchor(begin);
        offsets[begin] = (int) offset;
        byte[] bytes = run.bytes();
        for (int row = begin; row < begin + rows; row++) {
            offset += baseLength + NarrowValues.get(bytes, lengths, lengthWidth, mask, row);
            // limited to the range of an int, so that the sum cannot overflow
            offset = Math.min(offset, Integer.MAX_VALUE);
            offsets[row + 1] = (int) offset;
        }
        long end = begin + rows == run.rows() ? size : anchor(begin + rows);
        if (offset != end) {
            throw new IllegalArgumentException("the values of %s rows end at %s instead of %s".formatted(rows, offset, end));
        }
    }

    private long anchor(int row)
    {
        if (lengthWidth == 0) {
            return Math.min((long) row * baseLength, size);
        }
        int anchor = row == 0 ? 0 : NarrowValues.getInt(run.bytes(), anchors + (row / ANCHOR_ROWS - 1) * Integer.BYTES);
        if (anchor < 0 || anchor > size) {
            throw new IllegalArgumentException("row %s begins at %s, but the values have %s bytes".formatted(row, anchor, size));
        }
        return anchor;
    }
}
