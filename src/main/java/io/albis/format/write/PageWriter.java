package io.albis.format.write;

import io.albis.format.metadata.RowGroup;
import io.trino.spi.Page;

import java.io.IOException;
import java.util.List;

/**
 * Writes pages into the folder of a table as row groups, which become part of the table when the caller commits them.
 */
public interface PageWriter
{
    /**
     * Appends a page.
     *
     * @param page page with one channel for each column of the table
     * @throws io.albis.format.run.RowTooLargeException if a row is larger than {@code RowTooLargeException.MAX_SIZE},
     *         in which case no row of the page is written
     */
    void append(Page page)
            throws IOException;

    /**
     * Writes all rows that were appended.
     *
     * @return all row groups that were written; empty if there were no rows
     */
    List<RowGroup> finish()
            throws IOException;

    /**
     * Deletes all files that this writer has written.
     *
     * @throws IOException if some files may remain; they belong to no table
     */
    void abort()
            throws IOException;

    /**
     * Returns the size of all files in bytes, including data in memory that is encoded already.
     */
    long writtenBytes();

    /**
     * Returns the memory of this writer in bytes, including the buffers of its output files.
     */
    long memoryUsage();
}
