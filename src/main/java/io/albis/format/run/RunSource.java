package io.albis.format.run;

import java.io.IOException;

/**
 * Loads the runs of one chunk into memory and verifies their checksums.
 */
public interface RunSource
{
    /**
     * Loads a run.
     *
     * @param run index of the run in its segment
     * @param keep whether blocks retain the bytes. If so, the bytes are in an array of their own. Otherwise they are
     *         valid only until the page is complete and its rows have been consumed
     */
    RunBytes run(int run, boolean keep)
            throws IOException;

    /**
     * Loads the dictionary of the chunk, as a run of its entries in an array of its own.
     */
    RunBytes dictionary()
            throws IOException;
}
