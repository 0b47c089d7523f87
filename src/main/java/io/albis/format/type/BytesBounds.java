package io.albis.format.type;

import io.airlift.slice.Slice;

import java.util.Arrays;
import java.util.Optional;

/**
 * Computes bounds of variable-width values. Bounds are truncated to keep statistics small. Truncation only ever widens
 * them.
 */
public final class BytesBounds
{
    /**
     * Maximum length of a bound in bytes.
     */
    public static final int MAX_LENGTH = 64;

    private BytesBounds() {}

    /**
     * Returns a lower bound of the value: the value itself or a prefix of it.
     */
    public static byte[] lower(Slice value)
    {
        return value.getBytes(0, Math.min(value.length(), MAX_LENGTH));
    }

    /**
     * Returns an upper bound of the value: the value itself if it is short, otherwise the smallest byte string of
     * {@link #MAX_LENGTH} bytes that is greater than all values with the same prefix. Returns empty if there is no such
     * byte string. The bound is not necessarily valid UTF-8, because it is only compared and never displayed.
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
        // not shortened, so that a short bound is always a value
        Arrays.fill(bound, last + 1, MAX_LENGTH, (byte) 0);
        return Optional.of(bound);
    }

    /**
     * Returns whether a lower or upper bound is a value of the column, because only bounds of the maximum length may be
     * truncated.
     */
    public static boolean isValue(byte[] bound)
    {
        return bound.length < MAX_LENGTH;
    }

    /**
     * Returns the value if it is short, otherwise empty. CHAR values compare as if padded with spaces, so a prefix of a
     * value may be greater than the value and is not a lower bound.
     */
    public static Optional<byte[]> exact(Slice value)
    {
        return value.length() <= MAX_LENGTH ? Optional.of(value.getBytes()) : Optional.empty();
    }
}
