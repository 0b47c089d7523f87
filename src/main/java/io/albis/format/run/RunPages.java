package io.albis.format.run;

import java.util.BitSet;

import static io.albis.format.io.PageChecksum.PAGE_SIZE;
import static io.albis.format.run.SegmentRows.inRun;

/**
 * The pages of a run that contain needed bytes. A page is the smallest part of a run that a reader can verify.
 */
public final class RunPages
{
    private final BitSet pages = new BitSet();
    private int expected;

    /**
     * Adds the pages of some bytes.
     *
     * @param begin offset of the first byte in the run
     * @param end offset after the last byte
     */
    public void add(int begin, int end)
    {
        if (begin < end) {
            pages.set(begin / PAGE_SIZE, (end - 1) / PAGE_SIZE + 1);
        }
    }

    /**
     * Adds the pages of the values of some rows, which all have the same width.
     *
     * @param offset offset in the run of the value of the first row
     * @param rows rows within the run or the segment, of which those from {@code begin} to {@code end} (exclusive) are
     *         needed
     */
    public void addValues(int offset, int width, int[] rows, int begin, int end)
    {
        for (int i = begin; i < end; i++) {
            int value = offset + width * inRun(rows[i]);
            add(value, value + width);
        }
    }

    /**
     * Adds the pages of the values of some rows, which all have the same width.
     *
     * @param offset offset in the run of the value of the first row
     * @param part those of the rows that are in the run
     */
    public void addValues(int offset, int width, SegmentRows rows, RunRows part)
    {
        if (part.ranges().isPresent()) {
            RowRanges ranges = part.ranges().get();
            for (int range = 0; range < ranges.size(); range++) {
                add(offset + width * ranges.begin(range), offset + width * ranges.end(range));
            }
        }
        else {
            addValues(offset, width, rows.list(), part.begin(), part.end());
        }
    }

    /**
     * Adds pages that cannot be named until the other pages are read. Each of them takes a request of its own.
     */
    public void expect(int count)
    {
        expected += count;
    }

    /**
     * Adds the pages between others that are read together with them.
     *
     * @param maxGap maximum number of bytes between two pages that one request reads
     */
    public void closeGaps(int maxGap)
    {
        int end = pages.nextClearBit(Math.max(0, pages.nextSetBit(0)));
        for (int next = pages.nextSetBit(end); next >= 0; next = pages.nextSetBit(end)) {
            if (next - end <= maxGap / PAGE_SIZE) {
                pages.set(end, next);
            }
            end = pages.nextClearBit(next);
        }
    }

    /**
     * Returns the time that reading the pages takes, in bytes that a request reads in the same time.
     *
     * @param requestCost the time that a request takes in addition to its bytes
     */
    public long cost(int requestCost)
    {
        int requests = expected;
        for (int page = pages.nextSetBit(0); page >= 0; page = pages.nextSetBit(pages.nextClearBit(page))) {
            requests++;
        }
        return (long) (pages.cardinality() + expected) * PAGE_SIZE + (long) requests * requestCost;
    }

    /**
     * Returns a bit for each page that was added, except for those that are only expected.
     */
    public BitSet known()
    {
        return pages;
    }
}
