package io.albis.format.run;

import java.io.IOException;

/**
 * Brings the bytes of the runs of one chunk into memory and checks them.
 */
public interface RunSource
{
    /**
     * @param keep whether blocks will hold on to the bytes: then they are in an array of their own; else they are there
     *         until the page is made and its rows are passed
     */
    RunBytes run(int run, boolean keep)
            throws IOException;

    /**
     * The dictionary of the chunk, as a run of its entries, in an array of its own.
     */
    RunBytes dictionary()
            throws IOException;
}
