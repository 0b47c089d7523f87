package io.albis.format.scan;

import io.albis.format.io.AlbisDataException;
import io.albis.format.run.SegmentRows;
import io.albis.format.statistics.ColumnStatistics;
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
     * What is wrong with a segment of the column.
     */
    AlbisDataException invalid(int segment, Exception cause);

    /**
     * Reads the bytes, for all columns that stand in the same chunks.
     */
    ChunkReader chunks();

    /**
     * Goes to a segment, which is not read before somebody asks for its values.
     */
    void startSegment(int segment)
            throws IOException;

    /**
     * Says whether the same rows may be asked for more than once from now on.
     */
    void readAgain(boolean again);

    /**
     * Says which runs of the segment may still be asked for.
     *
     * @param runs a bit for each
     */
    default void want(int runs)
    {
        chunks().want(runs);
    }

    /**
     * Says that no run before this one will be asked for any more.
     */
    default void pass(int run)
    {
        chunks().pass(run);
    }

    /**
     * Reads all that is wanted of the segment at once.
     */
    default void readAll()
            throws IOException
    {
        chunks().readAll();
    }

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
