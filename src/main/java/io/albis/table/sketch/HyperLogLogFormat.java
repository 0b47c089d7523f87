package io.albis.table.sketch;

import io.airlift.slice.Slice;
import io.airlift.stats.cardinality.HyperLogLog;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.table.sketch.ColumnSketch.BUCKETS;
import static io.albis.table.sketch.ColumnSketch.INDEX_BITS;

/**
 * Validates a sketch, because the Airlift library does not validate the serialized form of a HyperLogLog that it reads.
 * {@code docs/format.md} describes the bytes.
 */
final class HyperLogLogFormat
{
    private static final int SPARSE = 2;
    private static final int DENSE = 3;
    private static final int SPARSE_HEADER_SIZE = 4;
    private static final int DENSE_HEADER_SIZE = 3;
    private static final int DENSE_SIZE = DENSE_HEADER_SIZE + BUCKETS / 2 + Short.BYTES;
    private static final int OVERFLOW_SIZE = Short.BYTES + Byte.BYTES;
    private static final int SPARSE_VALUE_BITS = 6;
    // The number of bits after the 26 bits of an index. An entry stores how many of them are leading zeros
    private static final int MAX_SPARSE_VALUE = Long.SIZE - (Integer.SIZE - SPARSE_VALUE_BITS);
    private static final int MAX_REGISTER = Long.SIZE - INDEX_BITS + 1;
    private static final int MAX_DELTA = 15;

    private HyperLogLogFormat() {}

    /**
     * Returns whether this version knows the form of a sketch.
     *
     * @throws IndexOutOfBoundsException if there is none
     */
    static boolean isKnown(Slice bytes)
    {
        return switch (bytes.getByte(0)) {
            case SPARSE, DENSE, ShortRegisters.KIND -> bytes.getByte(1) == INDEX_BITS;
            default -> false;
        };
    }

    /**
     * Checks that bytes are a sketch with {@link ColumnSketch#BUCKETS} buckets.
     *
     * @throws IllegalArgumentException or IndexOutOfBoundsException if they are not
     */
    static void check(Slice bytes)
    {
        checkArgument(bytes.getByte(1) == INDEX_BITS, "a sketch has 2^%s buckets instead of 2^%s", bytes.getByte(1), INDEX_BITS);
        switch (bytes.getByte(0)) {
            case SPARSE -> checkSparse(bytes);
            case DENSE -> checkDense(bytes);
            case ShortRegisters.KIND -> ShortRegisters.forEach(bytes, (_, _) -> {});
            default -> throw new IllegalArgumentException("a sketch has the unknown kind " + bytes.getByte(0));
        }
    }

    private static void checkSparse(Slice bytes)
    {
        int entries = bytes.getUnsignedShort(2);
        checkArgument(bytes.length() == SPARSE_HEADER_SIZE + (long) entries * Integer.BYTES && entries <= Short.MAX_VALUE, "a sketch has %s bytes for %s entries", bytes.length(), entries);
        int previous = -1;
        for (int i = 0; i < entries; i++) {
            int entry = bytes.getInt(SPARSE_HEADER_SIZE + i * Integer.BYTES);
            int index = entry >>> SPARSE_VALUE_BITS;
            checkArgument(index > previous, "entries of a sketch are not in order");
            checkArgument((entry & ((1 << SPARSE_VALUE_BITS) - 1)) <= MAX_SPARSE_VALUE, "an entry of a sketch is out of range");
            previous = index;
        }
    }

    private static void checkDense(Slice bytes)
    {
        int baseline = bytes.getByte(2);
        checkArgument(baseline >= 0 && baseline + MAX_DELTA <= MAX_REGISTER, "a sketch has the invalid baseline %s", baseline);
        int overflows = bytes.getUnsignedShort(DENSE_SIZE - Short.BYTES);
        checkArgument(bytes.length() == DENSE_SIZE + overflows * OVERFLOW_SIZE, "a sketch has %s bytes for %s overflows", bytes.length(), overflows);
        int previous = -1;
        for (int i = 0; i < overflows; i++) {
            int bucket = bytes.getUnsignedShort(DENSE_SIZE + i * Short.BYTES);
            checkArgument(bucket > previous && bucket < BUCKETS, "overflows of a sketch are not in order");
            checkArgument(delta(bytes, bucket) == MAX_DELTA, "an overflow of a sketch refers to a bucket without overflow");
            int value = bytes.getByte(DENSE_SIZE + overflows * Short.BYTES + i);
            checkArgument(value > 0 && baseline + MAX_DELTA + value <= MAX_REGISTER, "an overflow of a sketch is out of range");
            previous = bucket;
        }
    }

    /**
     * Returns the HyperLogLog of a valid sketch.
     */
    static HyperLogLog toHyperLogLog(Slice bytes)
    {
        return bytes.getByte(0) == ShortRegisters.KIND ? ShortRegisters.toHyperLogLog(bytes) : HyperLogLog.newInstance(bytes);
    }

    /**
     * Returns the values of all buckets of a valid HyperLogLog that is not a list.
     */
    static byte[] registers(Slice dense)
    {
        checkArgument(dense.getByte(0) == DENSE, "not a HyperLogLog with buckets");
        byte[] registers = new byte[BUCKETS];
        int baseline = dense.getByte(2);
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            registers[bucket] = (byte) (baseline + delta(dense, bucket));
        }
        int overflows = dense.getUnsignedShort(DENSE_SIZE - Short.BYTES);
        for (int i = 0; i < overflows; i++) {
            registers[dense.getUnsignedShort(DENSE_SIZE + i * Short.BYTES)] += dense.getByte(DENSE_SIZE + overflows * Short.BYTES + i);
        }
        return registers;
    }

    private static int delta(Slice bytes, int bucket)
    {
        int pair = bytes.getByte(DENSE_HEADER_SIZE + bucket / 2);
        return (bucket % 2 == 0 ? pair >> 4 : pair) & MAX_DELTA;
    }
}
