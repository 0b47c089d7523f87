package io.albis.benchmarks.format.file;

import java.io.IOException;

/**
 * Rows in files, to be read again and again.
 */
public interface StoredTable
{
    /**
     * Opens the files, so that nothing is left from a scan before.
     */
    Pages scan(Scan scan)
            throws IOException;
}
