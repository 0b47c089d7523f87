package io.albis.table.sketch;

import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.stats.cardinality.HyperLogLog;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.table.sketch.ColumnSketch.BUCKETS;
import static io.albis.table.sketch.ColumnSketch.INDEX_BITS;

/**
 * A form of a HyperLogLog on storage that takes about one byte for each distinct value, up to some hundred. The list of
 * Airlift's library takes four, and its buckets always take a kilobyte, which every small INSERT would write for each
 * column. {@code docs/format.md} describes the bytes.
 */
final class ShortRegisters
{
    /**
     * The first byte of this form. Those of the library are less.
     */
    static final int KIND = 4;

    // Up to this length, the list of the library is kept, which is more exact
    private static final int MAX_LIST_LENGTH = 72;
    private static final int VALUE_BITS = 3;
    private static final int LONG_VALUE = (1 << VALUE_BITS) - 1;
    private static final int LONG_GAP = 0xFF >> VALUE_BITS;

    private ShortRegisters() {}

    /**
     * Returns the shorter of this form and the form of the library.
     *
     * @param distinct valid form of the library
     */
    static Slice shorten(Slice distinct)
    {
        if (distinct.length() <= MAX_LIST_LENGTH) {
            return distinct;
        }
        byte[] registers = HyperLogLogFormat.registers(toDense(HyperLogLog.newInstance(distinct)));
        DynamicSliceOutput output = new DynamicSliceOutput(distinct.length());
        output.writeByte(KIND);
        output.writeByte(INDEX_BITS);
        int previous = -1;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            int value = registers[bucket];
            if (value > 0) {
                int gap = bucket - previous - 1;
                output.writeByte((Math.min(gap, LONG_GAP) << VALUE_BITS) | Math.min(value, LONG_VALUE));
                if (gap >= LONG_GAP) {
                    output.writeShort(gap);
                }
                if (value >= LONG_VALUE) {
                    output.writeByte(value);
                }
                previous = bucket;
            }
        }
        return output.size() < distinct.length() ? output.slice() : distinct;
    }

    /**
     * Returns the form of the library.
     *
     * @param stored either form, which need not be valid
     * @throws IllegalArgumentException or IndexOutOfBoundsException if it is not valid in this form
     */
    static Slice expand(Slice stored)
    {
        if (stored.getByte(0) != KIND) {
            return stored;
        }
        checkArgument(stored.getByte(1) == INDEX_BITS, "a sketch has 2^%s buckets", stored.getByte(1));
        SliceInput input = stored.getInput();
        input.skip(2);
        byte[] registers = new byte[BUCKETS];
        int bucket = -1;
        while (input.isReadable()) {
            int entry = input.readUnsignedByte();
            int gap = entry >> VALUE_BITS;
            int value = entry & LONG_VALUE;
            bucket += 1 + (gap == LONG_GAP ? input.readUnsignedShort() : gap);
            value = value == LONG_VALUE ? input.readUnsignedByte() : value;
            checkArgument(bucket < BUCKETS, "a bucket of a sketch is out of range");
            checkArgument(value > 0 && value <= DistinctCounter.MAX_REGISTER, "a bucket of a sketch has the invalid value %s", value);
            registers[bucket] = (byte) value;
        }
        return DistinctCounter.toHyperLogLog(registers).serialize();
    }

    private static Slice toDense(HyperLogLog distinct)
    {
        distinct.makeDense();
        return distinct.serialize();
    }
}
