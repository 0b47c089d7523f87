package io.albis.format.io;

import java.util.ArrayList;
import java.util.List;

/**
 * Reusable arrays of one reader. Reusing them keeps the bytes in the processor cache until they are decoded.
 */
public final class ReadBuffers
{
    // Larger arrays are not kept, so that an unusually large read does not increase memory for the rest of the scan.
    private static final int MAX_KEPT_BYTES = 1 << 20;

    private final int usualSize;
    private final List<byte[]> free = new ArrayList<>();
    private long bytes;

    /**
     * Creates an object that has no arrays yet.
     *
     * @param usualSize minimum size of an array in bytes, chosen so that most reads fit
     */
    public ReadBuffers(int usualSize)
    {
        this.usualSize = usualSize;
    }

    /**
     * Returns an array of at least {@code size} bytes with undefined content.
     */
    public byte[] take(int size)
    {
        // the array that was returned last is the most likely one to be in the cache
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

    /**
     * Returns an array from {@link #take} for reuse.
     */
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
     * Accounts for other memory of the reader, so that the total is available without visiting each column.
     *
     * @param change change of the other memory in bytes; may be negative
     */
    public void countOther(long change)
    {
        bytes += change;
    }

    /**
     * Returns the bytes of all arrays, whether in use or free, plus the other memory that was accounted for.
     */
    public long retainedSize()
    {
        return bytes;
    }
}
