package io.albis.fuzz;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Changes inputs at random: bits, bytes, numbers, and ranges of bytes.
 */
final class RandomMutations
{
    private static final int MAX_CHANGES = 4;
    private static final int MAX_RANGE = 64;
    private static final long[] NUMBERS = {0, 1, -1, 7, 255, 4096, 8192, 65_536, Short.MAX_VALUE, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE};

    private final Random random;
    private final List<byte[]> corpus;

    RandomMutations(Random random, List<byte[]> corpus)
    {
        this.random = random;
        this.corpus = corpus;
    }

    byte[] next()
    {
        byte[] bytes = any().clone();
        int changes = 1 + random.nextInt(MAX_CHANGES);
        for (int i = 0; i < changes && bytes.length > 0; i++) {
            bytes = change(bytes);
        }
        return bytes;
    }

    private byte[] any()
    {
        return corpus.get(random.nextInt(corpus.size()));
    }

    private byte[] change(byte[] bytes)
    {
        int index = random.nextInt(bytes.length);
        int range = Math.min(bytes.length - index, 1 + random.nextInt(MAX_RANGE));
        switch (random.nextInt(8)) {
            case 0 -> bytes[index] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            case 1 -> bytes[index] = (byte) random.nextInt(1 << Byte.SIZE);
            case 2, 3 -> putNumber(bytes, index);
            // a byte that is text, and a digit
            case 4 -> bytes[index] = (byte) (random.nextBoolean() ? ' ' + random.nextInt(95) : '0' + random.nextInt(10));
            case 5 -> {
                return concat(bytes, index, new byte[0], index + range);
            }
            case 6 -> {
                byte[] other = any();
                int begin = random.nextInt(other.length + 1);
                byte[] copied = Arrays.copyOfRange(other, begin, Math.min(other.length, begin + MAX_RANGE));
                return concat(bytes, index, copied, random.nextBoolean() ? index : index + range);
            }
            default -> {
                int other = random.nextInt(bytes.length - range + 1);
                System.arraycopy(bytes.clone(), other, bytes, index, range);
            }
        }
        return bytes;
    }

    private void putNumber(byte[] bytes, int index)
    {
        long number = NUMBERS[random.nextInt(NUMBERS.length)] + random.nextInt(3) - 1;
        byte[] encoded = ByteBuffer.allocate(Long.BYTES).order(LITTLE_ENDIAN).putLong(number).array();
        System.arraycopy(encoded, 0, bytes, index, Math.min(bytes.length - index, 1 << random.nextInt(4)));
    }

    private static byte[] concat(byte[] bytes, int end, byte[] middle, int begin)
    {
        byte[] result = Arrays.copyOf(bytes, end + middle.length + bytes.length - begin);
        System.arraycopy(middle, 0, result, end, middle.length);
        System.arraycopy(bytes, begin, result, end + middle.length, bytes.length - begin);
        return result;
    }
}
