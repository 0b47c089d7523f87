package io.albis.format.index;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.type.OrderKeys;

import java.nio.ByteBuffer;

import static io.trino.spi.type.Chars.compareChars;

/**
 * The form of a value in an index: bytes that have the order of the values. The {@link OrderKeys} of a value with one
 * or two longs become 8 or 16 bytes that compare unsigned. Texts and binary values are their own keys. Equal values
 * have equal keys.
 */
final class IndexKeys
{
    private IndexKeys() {}

    /**
     * Returns the key of a value with one long.
     */
    static Slice key(long high)
    {
        byte[] key = new byte[Long.BYTES];
        ByteBuffer.wrap(key).putLong(high ^ Long.MIN_VALUE);
        return Slices.wrappedBuffer(key);
    }

    /**
     * Returns the key of a value with two longs.
     */
    static Slice key(long high, long low)
    {
        byte[] key = new byte[2 * Long.BYTES];
        ByteBuffer.wrap(key)
                .putLong(high ^ Long.MIN_VALUE)
                .putLong(low ^ Long.MIN_VALUE);
        return Slices.wrappedBuffer(key);
    }

    /**
     * Returns the long of a key with one long.
     *
     * @throws IndexOutOfBoundsException if the key is shorter
     */
    static long value(Slice key)
    {
        return Long.reverseBytes(key.getLong(0)) ^ Long.MIN_VALUE;
    }

    /**
     * Compares two keys of a column.
     */
    static int compare(OrderKeys orderKeys, Slice left, Slice right)
    {
        return orderKeys.isPadded() ? compareChars(left, right) : left.compareTo(right);
    }
}
