package io.albis.format.run;

/**
 * Room for the order keys of a run, shared by the collectors of one writer.
 */
public record KeyScratch(long[] high, long[] low)
{
    public KeyScratch()
    {
        this(new long[Run.MAX_ROWS], new long[Run.MAX_ROWS]);
    }
}
