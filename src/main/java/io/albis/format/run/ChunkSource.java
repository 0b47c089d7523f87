package io.albis.format.run;

import java.io.IOException;
import java.util.Optional;

/**
 * Loads the runs and the dictionary of one chunk into memory and verifies their checksums.
 */
public interface ChunkSource
        extends RunSource
{
    /**
     * Loads the dictionary of the chunk, as a run of its entries in an array of its own.
     */
    RunBytes dictionary()
            throws IOException;

    /**
     * Loads the bytes of the dictionary that a few entries need, if this is faster than to load all of it and it is not
     * in memory. Other bytes are undefined. The entries are as the values of a run.
     *
     * @param values number of entries that are needed; entries next to each other may count as one
     * @param needed tells which bytes they need
     */
    Optional<RunBytes> dictionary(int values, NeededBytes needed)
            throws IOException;
}
