package io.albis.format.run;

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
