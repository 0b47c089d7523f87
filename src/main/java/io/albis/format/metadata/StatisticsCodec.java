package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Column statistics as bytes, in metadata files and manifests; see {@code docs/format.md}.
 */
final class StatisticsCodec
{
    private static final int HAS_MIN = 1;
    private static final int HAS_MAX = 2;
    private static final int FLAGS = HAS_MIN | HAS_MAX;
    private static final int MIN_SIZE = Integer.BYTES + Long.BYTES + 2;
    private static final List<ValueOrder> ORDERS = ImmutableList.copyOf(ValueOrder.values());

    private StatisticsCodec() {}

    static void write(List<ColumnStatistics> statistics, SliceOutput output)
    {
        output.writeInt(statistics.size());
        for (ColumnStatistics column : statistics) {
            output.writeInt(column.columnId());
            output.writeLong(column.nullCount());
            output.writeByte(column.order().ordinal());
            output.writeByte((column.min().isPresent() ? HAS_MIN : 0) | (column.max().isPresent() ? HAS_MAX : 0));
            column.min().ifPresent(min -> writeBound(min, output));
            column.max().ifPresent(max -> writeBound(max, output));
        }
    }

    static List<ColumnStatistics> read(SliceInput input)
    {
        int count = readCount(input, MIN_SIZE);
        ImmutableList.Builder<ColumnStatistics> statistics = ImmutableList.builderWithExpectedSize(count);
        for (int i = 0; i < count; i++) {
            int columnId = input.readInt();
            long nullCount = input.readLong();
            int order = input.readUnsignedByte();
            checkArgument(order < ORDERS.size(), "unknown order %s", order);
            int flags = input.readUnsignedByte();
            checkArgument((flags & ~FLAGS) == 0, "unknown flags %s", flags);
            Optional<byte[]> min = (flags & HAS_MIN) == 0 ? Optional.empty() : Optional.of(readBound(input));
            Optional<byte[]> max = (flags & HAS_MAX) == 0 ? Optional.empty() : Optional.of(readBound(input));
            statistics.add(new ColumnStatistics(columnId, nullCount, ORDERS.get(order), min, max));
        }
        return statistics.build();
    }

    /**
     * A count of things that take at least {@code minSize} bytes each, so that a wrong one allocates nothing.
     */
    static int readCount(SliceInput input, int minSize)
    {
        int count = input.readInt();
        checkArgument(count >= 0 && (long) count * minSize <= input.available(), "count %s is more than the %s bytes that follow can hold", count, input.available());
        return count;
    }

    private static void writeBound(byte[] bound, SliceOutput output)
    {
        output.writeShort(bound.length);
        output.writeBytes(bound);
    }

    private static byte[] readBound(SliceInput input)
    {
        byte[] bound = new byte[input.readUnsignedShort()];
        input.readBytes(bound);
        return bound;
    }
}
