package io.albis.format.reader;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what the inputs of one reader read. Thread safe.
 */
final class ReadCounter
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

    long bytes()
    {
        return bytes.get();
    }

    long reads()
    {
        return reads.get();
    }

    long nanos()
    {
        return nanos.get();
    }
}
