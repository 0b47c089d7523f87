package io.albis.benchmarks.format.file;

import java.io.IOException;

/**
 * Rows stored in files, which can be read repeatedly.
 */
public interface StoredTable
{
    /**
     * Starts a scan. The files are opened for each scan, so that no state remains from a previous scan.
     */
    Pages scan(Scan scan)
            throws IOException;
}
