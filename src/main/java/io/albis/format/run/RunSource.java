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
     * Loads the bytes of a run that a few values need, or the whole run if this is not slower. Other bytes are
     * undefined. A caller that finds out from these bytes which other bytes it needs calls this method again, and gets
     * the same array with the bytes of both calls.
     *
     * @param run index of the run in its segment
     * @param values number of values that are needed; values next to each other may count as one
     * @param needed tells which bytes they need; not asked if the whole run is loaded
     */
    RunBytes run(int run, int values, NeededBytes needed)
            throws IOException;

    /**
     * Tells which bytes of a run are needed.
     */
    @FunctionalInterface
    interface NeededBytes
    {
        /**
         * Adds the pages of the bytes.
         *
         * @param run the parameters of the run. Its bytes are not in memory, and its offset is 0
         */
        void addTo(RunPages pages, RunBytes run);
    }
}
