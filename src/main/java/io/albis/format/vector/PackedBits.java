package io.albis.format.vector;

import static java.util.Objects.checkFromIndexSize;

/**
 * Turns bits into bytes that are 0 or 1.
 */
public final class PackedBits
{
    /**
     * Number of bytes that the output must have beyond the values, because eight values are written at once.
     */
    public static final int OUTPUT_SLACK = Long.BYTES;

    private static final long LOW_SEVEN_BITS = 0x7F;
    // moves bit i of a number of seven bits to bit 8i of the product, and to bits that are removed afterwards
    private static final long SPREAD = 0x02_0408_1020_4081L;
    private static final long LOW_BIT_OF_EACH_BYTE = 0x0101_0101_0101_0101L;

    private PackedBits() {}

    /**
     * Unpacks bits, beginning with the lowest bit of a byte. The bytes of the output after the values are undefined.
     *
     * @throws IndexOutOfBoundsException if the bits and {@link NarrowValues#SLACK}, or the values and
     *         {@link #OUTPUT_SLACK}, exceed an array
     */
    public static void unpack(byte[] bytes, int offset, int count, byte[] output, int outputOffset)
    {
        unpack(Vectors.areReady(), bytes, offset, count, output, outputOffset);
    }

    static void unpack(boolean vectors, byte[] bytes, int offset, int count, byte[] output, int outputOffset)
    {
        checkFromIndexSize(offset, (count + Byte.SIZE - 1) / Byte.SIZE + NarrowValues.SLACK, bytes.length);
        checkFromIndexSize(outputOffset, count + OUTPUT_SLACK, output.length);
        int done = vectors ? VectorWidening.unpack(bytes, offset, count, output, outputOffset) : 0;
        for (int i = done; i < count; i += Byte.SIZE) {
            long bits = bytes[offset + i / Byte.SIZE] & 0xFF;
            long spread = (((bits & LOW_SEVEN_BITS) * SPREAD) & LOW_BIT_OF_EACH_BYTE) | ((bits >>> 7) << 56);
            NarrowValues.setLong(output, outputOffset + i, spread);
        }
    }
}
