package io.albis.format.layout.block;

import io.albis.format.run.Run;

/**
 * Memory that the encoders of all columns share, because they write their segments one after the other.
 */
final class EncoderScratch
{
    private final long[] values = new long[Run.MAX_ROWS];
    private final FixedDictionaryBuilder dictionary = new FixedDictionaryBuilder();

    /**
     * Returns an array for the values of a run.
     */
    long[] values()
    {
        return values;
    }

    FixedDictionaryBuilder dictionary()
    {
        return dictionary;
    }

    long retainedSize()
    {
        return (long) values.length * Long.BYTES + dictionary.retainedSize();
    }
}
