package io.albis.format.writer;

import io.albis.format.metadata.Run;

/**
 * Room for the order keys of a run, shared by the collectors of one writer.
 */
record KeyScratch(long[] high, long[] low)
{
    KeyScratch()
    {
        this(new long[Run.MAX_ROWS], new long[Run.MAX_ROWS]);
    }
}
