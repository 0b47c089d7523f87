package io.albis.format.vector;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

import static jdk.incubator.vector.VectorOperators.ULE;

/**
 * Tests values with vector instructions. Each method tests a multiple of 64 values, and returns their number. {@link
 * NarrowSelection} tests the others, and values of 8 bytes, one by one. This class must only be used if {@link
 * Vectors#SUPPORTED}, because it needs the module {@code jdk.incubator.vector}.
 */
final class VectorSelection
{
    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_PREFERRED;

    private VectorSelection() {}

    static int inRange(byte[] bytes, int offset, int width, long low, long span, int count, long[] bits)
    {
        return switch (width) {
            case 1 -> bytesInRange(bytes, offset, (byte) low, (byte) span, count, bits);
            case 2 -> shortsInRange(bytes, offset, (short) low, (short) span, count, bits);
            case 3 -> distributedInts(bytes, offset, 3, VectorWidening.INTS_FROM_3, (int) low, (int) span, count, bits);
            case 4 -> intsInRange(bytes, offset, (int) low, (int) span, count, bits);
            case 5 -> distributedLongs(bytes, offset, 5, VectorWidening.LONGS_FROM_5, low, span, count, bits);
            case 6 -> distributedLongs(bytes, offset, 6, VectorWidening.LONGS_FROM_6, low, span, count, bits);
            case 7 -> distributedLongs(bytes, offset, 7, VectorWidening.LONGS_FROM_7, low, span, count, bits);
            default -> 0;
        };
    }

    private static int bytesInRange(byte[] bytes, int offset, byte low, byte span, int count, long[] bits)
    {
        int end = count / Long.SIZE * Long.SIZE;
        for (int first = 0; first < end; first += Long.SIZE) {
            long word = 0;
            for (int i = 0; i < Long.SIZE; i += BYTES.length()) {
                word |= ByteVector.fromArray(BYTES, bytes, offset + first + i).sub(low).compare(ULE, span).toLong() << i;
            }
            bits[first / Long.SIZE] = word;
        }
        return end;
    }

    private static int shortsInRange(byte[] bytes, int offset, short low, short span, int count, long[] bits)
    {
        int lanes = BYTES.length() / Short.BYTES;
        int end = count / Long.SIZE * Long.SIZE;
        for (int first = 0; first < end; first += Long.SIZE) {
            long word = 0;
            for (int i = 0; i < Long.SIZE; i += lanes) {
                word |= ByteVector.fromArray(BYTES, bytes, offset + Short.BYTES * (first + i)).reinterpretAsShorts().sub(low).compare(ULE, span).toLong() << i;
            }
            bits[first / Long.SIZE] = word;
        }
        return end;
    }

    private static int intsInRange(byte[] bytes, int offset, int low, int span, int count, long[] bits)
    {
        int lanes = BYTES.length() / Integer.BYTES;
        int end = count / Long.SIZE * Long.SIZE;
        for (int first = 0; first < end; first += Long.SIZE) {
            long word = 0;
            for (int i = 0; i < Long.SIZE; i += lanes) {
                word |= ByteVector.fromArray(BYTES, bytes, offset + Integer.BYTES * (first + i)).reinterpretAsInts().sub(low).compare(ULE, span).toLong() << i;
            }
            bits[first / Long.SIZE] = word;
        }
        return end;
    }

    private static int distributedInts(byte[] bytes, int offset, int width, VectorShuffle<Byte> shuffle, int low, int span, int count, long[] bits)
    {
        int lanes = BYTES.length() / Integer.BYTES;
        int mask = (int) NarrowValues.mask(width);
        int end = VectorWidening.whole(bytes, offset, width, count) / Long.SIZE * Long.SIZE;
        for (int first = 0; first < end; first += Long.SIZE) {
            long word = 0;
            for (int i = 0; i < Long.SIZE; i += lanes) {
                word |= ByteVector.fromArray(BYTES, bytes, offset + width * (first + i)).rearrange(shuffle).reinterpretAsInts().sub(low).and(mask).compare(ULE, span).toLong() << i;
            }
            bits[first / Long.SIZE] = word;
        }
        return end;
    }

    private static int distributedLongs(byte[] bytes, int offset, int width, VectorShuffle<Byte> shuffle, long low, long span, int count, long[] bits)
    {
        int lanes = BYTES.length() / Long.BYTES;
        long mask = NarrowValues.mask(width);
        int end = VectorWidening.whole(bytes, offset, width, count) / Long.SIZE * Long.SIZE;
        for (int first = 0; first < end; first += Long.SIZE) {
            long word = 0;
            for (int i = 0; i < Long.SIZE; i += lanes) {
                word |= ByteVector.fromArray(BYTES, bytes, offset + width * (first + i)).rearrange(shuffle).reinterpretAsLongs().sub(low).and(mask).compare(ULE, span).toLong() << i;
            }
            bits[first / Long.SIZE] = word;
        }
        return end;
    }
}
