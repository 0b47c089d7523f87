package io.albis.format.reader;

/**
 * Counts what the inputs of one reader read. Not thread safe.
 */
final class ReadCounter
{
    private long bytes;
    private long reads;
    private long nanos;

    void add(long readBytes, long readNanos)
    {
        bytes += readBytes;
        reads++;
        nanos += readNanos;
    }

    long bytes()
    {
        return bytes;
    }

    long reads()
    {
        return reads;
    }

    long nanos()
    {
        return nanos;
    }
}
