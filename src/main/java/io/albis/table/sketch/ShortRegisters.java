package io.albis.table.sketch;

import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.stats.cardinality.HyperLogLog;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.table.sketch.ColumnSketch.BUCKETS;
import static io.albis.table.sketch.ColumnSketch.INDEX_BITS;

/**
 * A form of a HyperLogLog, on storage and in memory, that takes about one byte for each distinct value, up to some
 * hundred. The list of Airlift's library takes four, and its buckets always take a kilobyte, which every small INSERT
 * would write for each column. {@code docs/format.md} describes the bytes.
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

    interface BucketConsumer
    {
        /**
         * Receives a bucket.
         *
         * @param value value of the bucket, not 0
         */
        void accept(int bucket, int value);
    }

    /**
     * Returns the shorter of this form and the form of the library.
     *
     * @param distinct valid sketch in either form
     */
    static Slice shorten(Slice distinct)
    {
        if (distinct.length() <= MAX_LIST_LENGTH || distinct.getByte(0) == KIND) {
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
        // A copy without the unused end of the buffer
        return output.size() < distinct.length() ? output.copySlice() : distinct;
    }

    /**
     * Returns the sketch of this form.
     *
     * @param stored valid bytes of this form
     */
    static HyperLogLog toHyperLogLog(Slice stored)
    {
        byte[] registers = new byte[BUCKETS];
        forEach(stored, (bucket, value) -> registers[bucket] = (byte) value);
        return DistinctCounter.toHyperLogLog(registers);
    }

    /**
     * Calls a consumer for each bucket that is not 0, in ascending order.
     *
     * @param stored bytes of this form, whose first two bytes are valid
     * @throws IllegalArgumentException or IndexOutOfBoundsException if they are not valid
     */
    static void forEach(Slice stored, BucketConsumer consumer)
    {
        int position = 2;
        int bucket = -1;
        while (position < stored.length()) {
            int entry = stored.getUnsignedByte(position);
            position++;
            int gap = entry >> VALUE_BITS;
            int value = entry & LONG_VALUE;
            if (gap == LONG_GAP) {
                gap = stored.getUnsignedShort(position);
                position += Short.BYTES;
            }
            if (value == LONG_VALUE) {
                value = stored.getUnsignedByte(position);
                position++;
            }
            bucket += 1 + gap;
            checkArgument(bucket < BUCKETS, "a bucket of a sketch is out of range");
            checkArgument(value > 0 && value <= DistinctCounter.MAX_REGISTER, "a bucket of a sketch has the invalid value %s", value);
            consumer.accept(bucket, value);
        }
    }

    private static Slice toDense(HyperLogLog distinct)
    {
        distinct.makeDense();
        return distinct.serialize();
    }
}
