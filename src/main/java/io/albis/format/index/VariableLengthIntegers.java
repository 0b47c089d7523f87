package io.albis.format.index;

import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;

/**
 * Numbers that are not negative in one to five bytes, as in LEB128: seven bits in each byte, the lowest first, and the
 * highest bit set in all bytes but the last.
 */
final class VariableLengthIntegers
{
    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;
    private static final int MAX_SHIFT = 28;

    private VariableLengthIntegers() {}

    static void write(int value, SliceOutput output)
    {
        int rest = value;
        while (rest >= MORE) {
            output.writeByte(rest | MORE);
            rest >>>= BITS;
        }
        output.writeByte(rest);
    }

    /**
     * Reads a number.
     *
     * @throws IllegalArgumentException if it exceeds the largest integer
     */
    static int read(SliceInput input)
    {
        long value = 0;
        for (int shift = 0; shift <= MAX_SHIFT; shift += BITS) {
            int next = input.readUnsignedByte();
            value |= (long) (next & (MORE - 1)) << shift;
            if (next < MORE) {
                if (value > Integer.MAX_VALUE) {
                    break;
                }
                return (int) value;
            }
        }
        throw new IllegalArgumentException("a number is too large");
    }
}
