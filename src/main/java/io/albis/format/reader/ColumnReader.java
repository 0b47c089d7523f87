package io.albis.format.reader;

import io.albis.format.block.SegmentRows;
import io.albis.format.metadata.ColumnStatistics;
import io.trino.spi.block.Block;

import java.io.IOException;

/**
 * Reads one column of one row group, one segment after the other.
 */
interface ColumnReader
{
    ColumnStatistics statistics(int segment)
            throws IOException;

    /**
     * Goes to a segment, which is not read before somebody asks for its values.
     */
    void startSegment(int segment)
            throws IOException;

    /**
     * Says which runs of the segment may still be asked for.
     *
     * @param runs a bit for each
     */
    void want(int runs);

    /**
     * Reads the whole segment at once.
     */
    void readAll()
            throws IOException;

    Block read(SegmentRows rows)
            throws IOException;

    /**
     * Keeps the rows of a run that a filter selects.
     *
     * @param rows within the run, ascending; those that match are moved to its front
     * @param count how many rows
     * @return how many match
     */
    int select(FilterState filter, int run, int[] rows, int count)
            throws IOException;
}
