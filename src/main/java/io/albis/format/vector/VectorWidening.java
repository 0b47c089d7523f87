package io.albis.format.vector;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

import static jdk.incubator.vector.VectorOperators.ZERO_EXTEND_B2I;
import static jdk.incubator.vector.VectorOperators.ZERO_EXTEND_B2L;
import static jdk.incubator.vector.VectorOperators.ZERO_EXTEND_B2S;
import static jdk.incubator.vector.VectorOperators.ZERO_EXTEND_S2I;
import static jdk.incubator.vector.VectorOperators.ZERO_EXTEND_S2L;

/**
 * Widens values with vector instructions. Each method decodes as many values as whole vectors hold, and returns their
 * number. {@link NarrowValues} decodes the others one by one. This class must only be used if {@link
 * Vectors#SUPPORTED}, because it needs the module {@code jdk.incubator.vector}.
 *
 * <p>There are instructions for widths of 1 and 2 bytes. The compiler uses those for 4 and 8 bytes in plain loops by
 * itself, so these have no loop here. For other widths, a vector of bytes is loaded, the bytes of each value are moved
 * to their lane, and the bytes of the next value are masked out. Such a vector has more bytes than are decoded, and the
 * loop ends before it would exceed the array.
 */
final class VectorWidening
{
    private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_PREFERRED;

    // vectors of bytes that hold the narrow values of one vector of the wider type
    private static final VectorSpecies<Byte> HALF = bytes(BYTES.length() / 2);
    private static final VectorSpecies<Byte> QUARTER = bytes(BYTES.length() / 4);
    // there is no vector of less than 8 bytes, which may be enough for two vectors of longs
    private static final VectorSpecies<Byte> EIGHTH = bytes(Math.max(BYTES.length() / 8, Long.BYTES));

    static final VectorShuffle<Byte> LONGS_FROM_3 = distribute(3, Long.BYTES);
    static final VectorShuffle<Byte> LONGS_FROM_5 = distribute(5, Long.BYTES);
    static final VectorShuffle<Byte> LONGS_FROM_6 = distribute(6, Long.BYTES);
    static final VectorShuffle<Byte> LONGS_FROM_7 = distribute(7, Long.BYTES);
    static final VectorShuffle<Byte> INTS_FROM_3 = distribute(3, Integer.BYTES);

    private VectorWidening() {}

    private static VectorSpecies<Byte> bytes(int length)
    {
        return VectorSpecies.of(byte.class, VectorShape.forBitSize(length * Byte.SIZE));
    }

    /**
     * Returns a shuffle that moves the bytes of each value to the low bytes of a slot. The others are undefined.
     */
    private static VectorShuffle<Byte> distribute(int width, int slotSize)
    {
        return VectorShuffle.fromOp(BYTES, index -> Math.min(index / slotSize * width + index % slotSize, BYTES.length() - 1));
    }

    static int widen(byte[] bytes, int offset, int width, long base, int count, long[] output, int outputOffset)
    {
        return switch (width) {
            case 1 -> longsFrom1(bytes, offset, base, count, output, outputOffset);
            case 2 -> longsFrom2(bytes, offset, base, count, output, outputOffset);
            case 3 -> distributeLongs(bytes, offset, 3, LONGS_FROM_3, base, count, output, outputOffset);
            case 5 -> distributeLongs(bytes, offset, 5, LONGS_FROM_5, base, count, output, outputOffset);
            case 6 -> distributeLongs(bytes, offset, 6, LONGS_FROM_6, base, count, output, outputOffset);
            case 7 -> distributeLongs(bytes, offset, 7, LONGS_FROM_7, base, count, output, outputOffset);
            default -> 0;
        };
    }

    static int widen(byte[] bytes, int offset, int width, int base, int count, int[] output, int outputOffset)
    {
        return switch (width) {
            case 1 -> intsFrom1(bytes, offset, base, count, output, outputOffset);
            case 2 -> intsFrom2(bytes, offset, base, count, output, outputOffset);
            case 3 -> distributeInts(bytes, offset, 3, INTS_FROM_3, base, count, output, outputOffset);
            default -> 0;
        };
    }

    static int widen(byte[] bytes, int offset, int width, short base, int count, short[] output, int outputOffset)
    {
        return width == 1 ? shortsFrom1(bytes, offset, base, count, output, outputOffset) : 0;
    }

    private static int longsFrom1(byte[] bytes, int offset, long base, int count, long[] output, int outputOffset)
    {
        int step = EIGHTH.length();
        int end = count / step * step;
        for (int i = 0; i < end; i += step) {
            ByteVector narrow = ByteVector.fromArray(EIGHTH, bytes, offset + i);
            for (int part = 0; part < step / LONGS.length(); part++) {
                ((LongVector) narrow.convertShape(ZERO_EXTEND_B2L, LONGS, part))
                        .add(base)
                        .intoArray(output, outputOffset + i + part * LONGS.length());
            }
        }
        return end;
    }

    private static int longsFrom2(byte[] bytes, int offset, long base, int count, long[] output, int outputOffset)
    {
        int end = LONGS.loopBound(count);
        for (int i = 0; i < end; i += LONGS.length()) {
            ShortVector narrow = ByteVector.fromArray(QUARTER, bytes, offset + 2 * i).reinterpretAsShorts();
            ((LongVector) narrow.convertShape(ZERO_EXTEND_S2L, LONGS, 0)).add(base).intoArray(output, outputOffset + i);
        }
        return end;
    }

    private static int distributeLongs(byte[] bytes, int offset, int width, VectorShuffle<Byte> shuffle, long base, int count, long[] output, int outputOffset)
    {
        int end = LONGS.loopBound(whole(bytes, offset, width, count));
        long mask = NarrowValues.mask(width);
        for (int i = 0; i < end; i += LONGS.length()) {
            ByteVector.fromArray(BYTES, bytes, offset + width * i)
                    .rearrange(shuffle)
                    .reinterpretAsLongs()
                    .and(mask)
                    .add(base)
                    .intoArray(output, outputOffset + i);
        }
        return end;
    }

    private static int intsFrom1(byte[] bytes, int offset, int base, int count, int[] output, int outputOffset)
    {
        int end = INTS.loopBound(count);
        for (int i = 0; i < end; i += INTS.length()) {
            ByteVector narrow = ByteVector.fromArray(QUARTER, bytes, offset + i);
            ((IntVector) narrow.convertShape(ZERO_EXTEND_B2I, INTS, 0)).add(base).intoArray(output, outputOffset + i);
        }
        return end;
    }

    private static int intsFrom2(byte[] bytes, int offset, int base, int count, int[] output, int outputOffset)
    {
        int end = INTS.loopBound(count);
        for (int i = 0; i < end; i += INTS.length()) {
            ShortVector narrow = ByteVector.fromArray(HALF, bytes, offset + 2 * i).reinterpretAsShorts();
            ((IntVector) narrow.convertShape(ZERO_EXTEND_S2I, INTS, 0)).add(base).intoArray(output, outputOffset + i);
        }
        return end;
    }

    private static int distributeInts(byte[] bytes, int offset, int width, VectorShuffle<Byte> shuffle, int base, int count, int[] output, int outputOffset)
    {
        int end = INTS.loopBound(whole(bytes, offset, width, count));
        int mask = (int) NarrowValues.mask(width);
        for (int i = 0; i < end; i += INTS.length()) {
            ByteVector.fromArray(BYTES, bytes, offset + width * i)
                    .rearrange(shuffle)
                    .reinterpretAsInts()
                    .and(mask)
                    .add(base)
                    .intoArray(output, outputOffset + i);
        }
        return end;
    }

    private static int shortsFrom1(byte[] bytes, int offset, short base, int count, short[] output, int outputOffset)
    {
        int end = SHORTS.loopBound(count);
        for (int i = 0; i < end; i += SHORTS.length()) {
            ByteVector narrow = ByteVector.fromArray(HALF, bytes, offset + i);
            ((ShortVector) narrow.convertShape(ZERO_EXTEND_B2S, SHORTS, 0)).add(base).intoArray(output, outputOffset + i);
        }
        return end;
    }

    /**
     * Turns bits into bytes that are 0 or 1.
     */
    static int unpack(byte[] bytes, int offset, int count, byte[] output, int outputOffset)
    {
        int end = BYTES.loopBound(count);
        for (int i = 0; i < end; i += BYTES.length()) {
            VectorMask<Byte> ones = VectorMask.fromLong(BYTES, NarrowValues.getLong(bytes, offset + i / Byte.SIZE));
            ByteVector.zero(BYTES).blend((byte) 1, ones).intoArray(output, outputOffset + i);
        }
        return end;
    }

    /**
     * Returns the number of values that are followed by enough bytes to load a vector at the last of them, but at most
     * {@code count}.
     */
    static int whole(byte[] bytes, int offset, int width, int count)
    {
        return Math.max(0, Math.min(count, (bytes.length - offset - BYTES.length()) / width + 1));
    }
}
