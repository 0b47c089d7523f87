package io.albis.format.io;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes, requests, and time of all inputs of one reader. Thread safe.
 */
public final class ReadCounter
{
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();

    void add(long readBytes, long readNanos)
    {
        bytes.addAndGet(readBytes);
        reads.incrementAndGet();
        nanos.addAndGet(readNanos);
    }

    public long bytes()
    {
        return bytes.get();
    }

    public long reads()
    {
        return reads.get();
    }

    public long nanos()
    {
        return nanos.get();
    }
}
