package io.albis.format.io;

import jakarta.annotation.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Arrays that closed readers leave to later ones. A new array has to be filled with zeros, which takes a tenth of the
 * time of a scan if every reader allocates its own arrays. All threads may use a pool.
 */
public final class BufferPool
{
    private final long maxBytes;
    private final Deque<byte[]> buffers = new ArrayDeque<>();
    private long bytes;

    /**
     * @param maxBytes maximum number of bytes that are kept while no reader uses them
     */
    public BufferPool(long maxBytes)
    {
        checkArgument(maxBytes >= 0, "maxBytes is negative: %s", maxBytes);
        this.maxBytes = maxBytes;
    }

    /**
     * Creates a pool that keeps nothing.
     */
    public static BufferPool none()
    {
        return new BufferPool(0);
    }

    /**
     * Returns an array of at least {@code size} bytes with undefined content, or null if the array that was returned
     * last is shorter or there is none.
     */
    @Nullable
    synchronized byte[] poll(int size)
    {
        if (buffers.isEmpty() || buffers.getLast().length < size) {
            return null;
        }
        byte[] buffer = buffers.removeLast();
        bytes -= buffer.length;
        return buffer;
    }

    /**
     * Keeps an array that nobody uses any more, unless the pool is full.
     */
    synchronized void offer(byte[] buffer)
    {
        if (bytes + buffer.length <= maxBytes) {
            buffers.addLast(buffer);
            bytes += buffer.length;
        }
    }

    /**
     * Returns the number of bytes that no reader uses.
     */
    public synchronized long retainedSize()
    {
        return bytes;
    }
}
