package io.albis.format.column;

import io.albis.format.io.AlbisDataException;
import io.albis.format.request.ChunkReader;
import io.albis.format.run.SegmentRows;
import io.albis.format.statistics.ColumnStatistics;
import io.trino.spi.block.Block;

import java.io.IOException;
import java.util.List;

/**
 * Reads one column of one row group, segment by segment.
 */
public interface ColumnReader
{
    /**
     * Returns the statistics of a segment of the column.
     */
    ColumnStatistics statistics(int segment)
            throws IOException;

    /**
     * Returns the statistics of the runs of a segment of the column, or an empty list if they are not stored.
     */
    List<ColumnStatistics> runStatistics(int segment)
            throws IOException;

    /**
     * Returns whether the distinct values of a segment are stored apart from its rows, as in a dictionary, with the
     * type of the column.
     */
    default boolean storesDistinctValues(int segment)
            throws IOException
    {
        return false;
    }

    /**
     * Creates the exception for a segment of the column whose checksums match and whose content is invalid.
     */
    AlbisDataException invalid(int segment, Exception cause);

    /**
     * Returns the reader of the bytes, which all columns in the same chunks share.
     */
    ChunkReader chunks();

    /**
     * Starts a segment. Its bytes are read when its values are requested.
     */
    void startSegment(int segment)
            throws IOException;

    /**
     * Sets whether the bytes of a run may be requested again after the run has been read.
     */
    void readAgain(boolean again);

    /**
     * Sets the runs of the segment that may still be requested, and releases the others.
     *
     * @param runs a bit for each run
     */
    default void retainOnly(int runs)
    {
        chunks().retainOnly(runs);
    }

    /**
     * Releases the runs before a run, which are not requested any more.
     */
    default void pass(int run)
    {
        chunks().pass(run);
    }

    /**
     * Reads all runs of the segment that may still be requested.
     */
    default void readAll()
            throws IOException
    {
        chunks().readAll();
    }

    /**
     * Reads the values of some rows of the segment.
     */
    Block read(SegmentRows rows)
            throws IOException;

    /**
     * Selects the rows of a run that match a filter.
     *
     * @param rows rows within the run, ascending; those that match are moved to the front
     * @param count number of rows
     * @return the number of rows that match
     */
    int select(FilterState filter, int run, int[] rows, int count)
            throws IOException;
}
