package io.albis.format.vector;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

import static java.util.Objects.checkFromIndexSize;

/**
 * Reads and writes values of a fixed width. Values that are narrower on storage than in memory are unsigned offsets
 * from a base value. Other values are stored as they are. Where {@link Vectors} are faster, they do most of the work,
 * and the plain loops of this class the rest.
 */
public final class NarrowValues
{
    /**
     * Number of bytes that a buffer must have beyond its content, because each value is read as a whole long.
     */
    public static final int SLACK = Long.BYTES;

    /**
     * Maximum length of the content of a buffer. An array has room for the slack as well.
     */
    public static final int MAX_LENGTH = Integer.MAX_VALUE - 2 * SLACK;

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private NarrowValues() {}

    /**
     * Returns the number of bytes that the difference of any two values between {@code min} and {@code max} takes, from
     * 0 to 8.
     */
    public static int width(long min, long max)
    {
        // correct as an unsigned number even if the subtraction overflows
        return (Long.SIZE - Long.numberOfLeadingZeros(max - min) + Byte.SIZE - 1) / Byte.SIZE;
    }

    /**
     * Returns a mask of the low {@code width} bytes of a long.
     */
    public static long mask(int width)
    {
        return width == 0 ? 0 : -1L >>> (Long.SIZE - width * Byte.SIZE);
    }

    /**
     * Writes values as unsigned offsets from a base value.
     */
    public static void narrow(long[] values, int offset, int count, long base, int width, byte[] output, int outputOffset)
    {
        switch (width) {
            case 0 -> {}
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = (byte) (values[offset + i] - base);
                }
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    SHORT.set(output, outputOffset + 2 * i, (short) (values[offset + i] - base));
                }
            }
            case 4 -> {
                for (int i = 0; i < count; i++) {
                    INT.set(output, outputOffset + 4 * i, (int) (values[offset + i] - base));
                }
            }
            default -> {
                // each write also overwrites the excess bytes of the previous value
                for (int i = 0; i < count; i++) {
                    LONG.set(output, outputOffset + width * i, values[offset + i] - base);
                }
            }
        }
    }

    /**
     * Decodes values by adding the base value. The other overloads do the same for narrower types.
     *
     * @param width bytes of a value on storage, from 0 to the width of the output type
     * @throws IllegalArgumentException if the width is not valid for the output type
     * @throws IndexOutOfBoundsException if the values, or the {@link #SLACK} after them, exceed an array
     */
    public static void widen(byte[] bytes, int offset, int width, long base, int count, long[] output, int outputOffset)
    {
        widen(Vectors.areReady(), bytes, offset, width, base, count, output, outputOffset);
    }

    static void widen(boolean vectors, byte[] bytes, int offset, int width, long base, int count, long[] output, int outputOffset)
    {
        check(bytes, offset, width, count);
        checkFromIndexSize(outputOffset, count, output.length);
        int done = vectors ? VectorWidening.widen(bytes, offset, width, base, count, output, outputOffset) : 0;
        widenEach(bytes, offset + done * width, width, base, count - done, output, outputOffset + done);
    }

    private static void widenEach(byte[] bytes, int offset, int width, long base, int count, long[] output, int outputOffset)
    {
        switch (width) {
            case 0 -> {
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = base;
                }
            }
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = base + (bytes[offset + i] & 0xFF);
                }
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = base + ((short) SHORT.get(bytes, offset + 2 * i) & 0xFFFF);
                }
            }
            case 3 -> {
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = base + ((int) INT.get(bytes, offset + 3 * i) & 0xFF_FFFF);
                }
            }
            case 4 -> {
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = base + ((int) INT.get(bytes, offset + 4 * i) & 0xFFFF_FFFFL);
                }
            }
            case 8 -> {
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = (long) LONG.get(bytes, offset + 8 * i);
                }
            }
            default -> {
                long mask = mask(width);
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = base + ((long) LONG.get(bytes, offset + width * i) & mask);
                }
            }
        }
    }

    public static void widen(byte[] bytes, int offset, int width, int base, int count, int[] output, int outputOffset)
    {
        widen(Vectors.areReady(), bytes, offset, width, base, count, output, outputOffset);
    }

    static void widen(boolean vectors, byte[] bytes, int offset, int width, int base, int count, int[] output, int outputOffset)
    {
        check(bytes, offset, width, count);
        checkFromIndexSize(outputOffset, count, output.length);
        int done = vectors ? VectorWidening.widen(bytes, offset, width, base, count, output, outputOffset) : 0;
        widenEach(bytes, offset + done * width, width, base, count - done, output, outputOffset + done);
    }

    private static void widenEach(byte[] bytes, int offset, int width, int base, int count, int[] output, int outputOffset)
    {
        switch (width) {
            case 0 -> {
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = base;
                }
            }
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = base + (bytes[offset + i] & 0xFF);
                }
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = base + ((short) SHORT.get(bytes, offset + 2 * i) & 0xFFFF);
                }
            }
            case 3 -> {
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = base + ((int) INT.get(bytes, offset + 3 * i) & 0xFF_FFFF);
                }
            }
            case 4 -> {
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = (int) INT.get(bytes, offset + 4 * i);
                }
            }
            default -> throw new IllegalArgumentException("a width of %s bytes is not valid for values of 4 bytes".formatted(width));
        }
    }

    public static void widen(byte[] bytes, int offset, int width, short base, int count, short[] output, int outputOffset)
    {
        widen(Vectors.areReady(), bytes, offset, width, base, count, output, outputOffset);
    }

    static void widen(boolean vectors, byte[] bytes, int offset, int width, short base, int count, short[] output, int outputOffset)
    {
        check(bytes, offset, width, count);
        checkFromIndexSize(outputOffset, count, output.length);
        int done = vectors ? VectorWidening.widen(bytes, offset, width, base, count, output, outputOffset) : 0;
        widenEach(bytes, offset + done * width, width, base, count - done, output, outputOffset + done);
    }

    private static void widenEach(byte[] bytes, int offset, int width, short base, int count, short[] output, int outputOffset)
    {
        switch (width) {
            case 0 -> {
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = base;
                }
            }
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = (short) (base + (bytes[offset + i] & 0xFF));
                }
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = (short) SHORT.get(bytes, offset + 2 * i);
                }
            }
            default -> throw new IllegalArgumentException("a width of %s bytes is not valid for values of 2 bytes".formatted(width));
        }
    }

    public static void widen(byte[] bytes, int offset, int width, byte base, int count, byte[] output, int outputOffset)
    {
        check(bytes, offset, width, count);
        checkFromIndexSize(outputOffset, count, output.length);
        switch (width) {
            case 0 -> {
                for (int i = 0; i < count; i++) {
                    output[outputOffset + i] = base;
                }
            }
            case 1 -> System.arraycopy(bytes, offset, output, outputOffset, count);
            default -> throw new IllegalArgumentException("a width of %s bytes is not valid for values of 1 byte".formatted(width));
        }
    }

    /**
     * Returns the stored number of one row, for a width of up to 8 bytes. The base value is not added.
     */
    public static long get(byte[] bytes, int offset, int width, long mask, int row)
    {
        return (long) LONG.get(bytes, offset + width * row) & mask;
    }

    public static long getLong(byte[] bytes, int offset)
    {
        return (long) LONG.get(bytes, offset);
    }

    public static int getInt(byte[] bytes, int offset)
    {
        return (int) INT.get(bytes, offset);
    }

    public static void setLong(byte[] bytes, int offset, long value)
    {
        LONG.set(bytes, offset, value);
    }

    public static void setInt(byte[] bytes, int offset, int value)
    {
        INT.set(bytes, offset, value);
    }

    private static void check(byte[] bytes, int offset, int width, int count)
    {
        if (width < 0 || width > Long.BYTES) {
            throw new IllegalArgumentException("invalid width: %s".formatted(width));
        }
        checkFromIndexSize(offset, (long) width * count + SLACK, bytes.length);
    }
}
