package io.albis.benchmarks.format.jmh;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Loops that the compiler optimizes best, for values that are stored as differences from a base in fewer bytes than the
 * values have.
 */
final class Widening
{
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, LITTLE_ENDIAN);
    private static final int THREE_BYTES = 0xFF_FFFF;
    private static final long SIX_BYTES = 0xFFFF_FFFF_FFFFL;

    private Widening() {}

    public static void longsFrom8(byte[] source, int offset, long[] values, long base)
    {
        for (int i = 0; i < values.length; i++) {
            values[i] = base + (long) LONG.get(source, offset + i * Long.BYTES);
        }
    }

    public static void longsFrom6(byte[] source, int offset, long[] values, long base)
    {
        for (int i = 0; i < values.length; i++) {
            values[i] = base + ((long) LONG.get(source, offset + i * 6) & SIX_BYTES);
        }
    }

    public static void longsFrom4(byte[] source, int offset, long[] values, long base)
    {
        for (int i = 0; i < values.length; i++) {
            values[i] = base + ((int) INT.get(source, offset + i * Integer.BYTES) & 0xFFFF_FFFFL);
        }
    }

    public static void longsFrom3(byte[] source, int offset, long[] values, long base)
    {
        for (int i = 0; i < values.length; i++) {
            values[i] = base + ((int) INT.get(source, offset + i * 3) & THREE_BYTES);
        }
    }

    public static void longsFrom2(byte[] source, int offset, long[] values, long base)
    {
        for (int i = 0; i < values.length; i++) {
            values[i] = base + ((short) SHORT.get(source, offset + i * Short.BYTES) & 0xFFFF);
        }
    }

    public static void longsFrom1(byte[] source, int offset, long[] values, long base)
    {
        for (int i = 0; i < values.length; i++) {
            values[i] = base + (source[offset + i] & 0xFF);
        }
    }

    public static void intsFrom4(byte[] source, int offset, int[] values, int base)
    {
        for (int i = 0; i < values.length; i++) {
            values[i] = base + (int) INT.get(source, offset + i * Integer.BYTES);
        }
    }

    public static void intsFrom3(byte[] source, int offset, int[] values, int base)
    {
        for (int i = 0; i < values.length; i++) {
            values[i] = base + ((int) INT.get(source, offset + i * 3) & THREE_BYTES);
        }
    }

    public static void intsFrom2(byte[] source, int offset, int[] values, int base)
    {
        for (int i = 0; i < values.length; i++) {
            values[i] = base + ((short) SHORT.get(source, offset + i * Short.BYTES) & 0xFFFF);
        }
    }

    public static void intsFrom1(byte[] source, int offset, int[] values, int base)
    {
        for (int i = 0; i < values.length; i++) {
            values[i] = base + (source[offset + i] & 0xFF);
        }
    }
}
