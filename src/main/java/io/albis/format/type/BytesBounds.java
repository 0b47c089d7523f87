package io.albis.format.type;

import io.airlift.slice.Slice;

import java.util.Arrays;
import java.util.Optional;

/**
 * Bounds of variable-width values, cut so that statistics stay small, and only ever widened.
 */
public final class BytesBounds
{
    /**
     * The most bytes of a bound.
     */
    public static final int MAX_LENGTH = 64;

    private BytesBounds() {}

    /**
     * A prefix of the value, which is not greater than it.
     */
    public static byte[] lower(Slice value)
    {
        return value.getBytes(0, Math.min(value.length(), MAX_LENGTH));
    }

    /**
     * The value, or the least byte string of up to {@link #MAX_LENGTH} bytes that is greater than all that begin as it
     * does; empty if there is none. It need not be valid UTF-8: it is compared and never shown.
     */
    public static Optional<byte[]> upper(Slice value)
    {
        if (value.length() <= MAX_LENGTH) {
            return Optional.of(value.getBytes());
        }
        byte[] bound = value.getBytes(0, MAX_LENGTH);
        int last = MAX_LENGTH - 1;
        while (last >= 0 && bound[last] == (byte) 0xFF) {
            last--;
        }
        if (last < 0) {
            return Optional.empty();
        }
        bound[last]++;
        return Optional.of(Arrays.copyOf(bound, last + 1));
    }

    /**
     * The value if it is short, else nothing: CHAR compares as if filled with spaces, so a prefix may be greater than
     * the value that it is cut from.
     */
    public static Optional<byte[]> exact(Slice value)
    {
        return value.length() <= MAX_LENGTH ? Optional.of(value.getBytes()) : Optional.empty();
    }
}
