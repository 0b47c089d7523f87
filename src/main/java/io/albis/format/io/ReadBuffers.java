package io.albis.format.io;

import java.util.ArrayList;
import java.util.List;

/**
 * Arrays of one reader, which are used again and again: what is in them is decoded while the processor still has it in its cache.
 */
public final class ReadBuffers
{
    // What was larger than usual is not to be paid for by all that follow
    private static final int MAX_KEPT_BYTES = 1 << 20;

    private final int usualSize;
    private final List<byte[]> free = new ArrayList<>();
    private long bytes;

    /**
     * @param usualSize the least bytes of an array, so that most fit
     */
    public ReadBuffers(int usualSize)
    {
        this.usualSize = usualSize;
    }

    /**
     * @return an array of at least {@code size} bytes, with anything in it
     */
    public byte[] take(int size)
    {
        // the one that was given back last is the most likely to be in the cache
        for (int i = free.size() - 1; i >= 0; i--) {
            if (free.get(i).length >= size) {
                return free.remove(i);
            }
        }
        if (!free.isEmpty()) {
            bytes -= free.removeFirst().length;
        }
        byte[] buffer = new byte[Math.max(size, usualSize)];
        bytes += buffer.length;
        return buffer;
    }

    public void giveBack(byte[] buffer)
    {
        if (buffer.length > Math.max(usualSize, MAX_KEPT_BYTES)) {
            bytes -= buffer.length;
        }
        else {
            free.add(buffer);
        }
    }

    /**
     * Counts what the reader keeps besides, so that the sum is there without a look at each column.
     *
     * @param change bytes more than before, or fewer
     */
    public void countOther(long change)
    {
        bytes += change;
    }

    /**
     * Bytes of the arrays that are in use or may be again, and of what was counted besides.
     */
    public long retainedSize()
    {
        return bytes;
    }
}
