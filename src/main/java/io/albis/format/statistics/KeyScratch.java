package io.albis.format.statistics;

import io.albis.format.run.Run;

/**
 * Reusable arrays for the order keys of a run, shared by the statistics collectors of one writer.
 */
public record KeyScratch(long[] high, long[] low)
{
    public KeyScratch()
    {
        this(new long[Run.MAX_ROWS], new long[Run.MAX_ROWS]);
    }
}
