package io.albis.format.statistics;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.albis.format.io.TooNewException;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Encodes and decodes column statistics in metadata files and manifests; see {@code docs/format.md}.
 */
public final class StatisticsCodec
{
    private static final int HAS_MIN = 1;
    private static final int HAS_MAX = 2;
    private static final int FLAGS = HAS_MIN | HAS_MAX;
    private static final int MIN_SIZE = Integer.BYTES + Long.BYTES + 2;
    private static final int FLAGS_OFFSET = MIN_SIZE - 1;

    private StatisticsCodec() {}

    /**
     * Writes the number of entries and the entries.
     */
    public static void write(List<ColumnStatistics> statistics, SliceOutput output)
    {
        output.writeInt(statistics.size());
        for (ColumnStatistics column : statistics) {
            output.writeInt(column.columnId());
            output.writeLong(column.nullCount());
            output.writeByte(column.order().code());
            writeBounds(column, output);
        }
    }

    static void writeBounds(ColumnStatistics statistics, SliceOutput output)
    {
        output.writeByte((statistics.min().isPresent() ? HAS_MIN : 0) | (statistics.max().isPresent() ? HAS_MAX : 0));
        statistics.min().ifPresent(min -> writeBound(min, output));
        statistics.max().ifPresent(max -> writeBound(max, output));
    }

    /**
     * Reads statistics.
     *
     * @throws TooNewException if bounds have flags that this reader does not know
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the input does not contain valid statistics
     */
    public static List<ColumnStatistics> read(SliceInput input)
    {
        int count = readCount(input, MIN_SIZE);
        ImmutableList.Builder<ColumnStatistics> statistics = ImmutableList.builderWithExpectedSize(count);
        for (int i = 0; i < count; i++) {
            statistics.add(readOne(input));
        }
        return statistics.build();
    }

    /**
     * Validates and skips the bytes that {@link #read} would decode, without creating any objects.
     *
     * @param rows number of rows of the row group
     * @return number of entries
     * @throws TooNewException if bounds have flags that this reader does not know
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the input does not contain valid statistics
     */
    public static int skip(SliceInput input, long rows)
    {
        int count = readCount(input, MIN_SIZE);
        for (int i = 0; i < count; i++) {
            checkNullCount(input.readInt(), input.readLong(), rows);
            readOrder(input);
            int flags = readFlags(input);
            if ((flags & HAS_MIN) != 0) {
                skipBound(input);
            }
            if ((flags & HAS_MAX) != 0) {
                skipBound(input);
            }
        }
        return count;
    }

    /**
     * Checks that a column does not have more nulls than rows.
     *
     * @throws IllegalArgumentException if it has
     */
    public static void checkNullCount(int columnId, long nullCount, long rows)
    {
        checkArgument(nullCount >= 0 && nullCount <= rows, "column %s of a row group with %s rows has %s nulls", columnId, rows, nullCount);
    }

    static ColumnStatistics readOne(SliceInput input)
    {
        int columnId = input.readInt();
        long nullCount = input.readLong();
        return readBounds(columnId, nullCount, readOrder(input), input);
    }

    static ColumnStatistics readBounds(int columnId, long nullCount, ValueOrder order, SliceInput input)
    {
        int flags = readFlags(input);
        Optional<byte[]> min = (flags & HAS_MIN) == 0 ? Optional.empty() : Optional.of(readBound(input));
        Optional<byte[]> max = (flags & HAS_MAX) == 0 ? Optional.empty() : Optional.of(readBound(input));
        return new ColumnStatistics(columnId, nullCount, order, min, max);
    }

    private static ValueOrder readOrder(SliceInput input)
    {
        return ValueOrder.ofCode(input.readUnsignedByte());
    }

    private static int readFlags(SliceInput input)
    {
        int flags = input.readUnsignedByte();
        if ((flags & ~FLAGS) != 0) {
            throw new TooNewException("unknown flags %s of bounds", flags);
        }
        return flags;
    }

    private static void skipBound(SliceInput input)
    {
        int length = input.readUnsignedShort();
        checkArgument(length <= input.available(), "a bound of %s bytes exceeds the remaining %s bytes", length, input.available());
        input.skip(length);
    }

    /**
     * Returns whether the entry at {@code position} has a bound. The bytes must have been validated.
     */
    static boolean hasBounds(Slice bytes, int position)
    {
        return bytes.getByte(position + FLAGS_OFFSET) != 0;
    }

    /**
     * Returns the offset of the entry that follows the entry at {@code position}. The bytes must have been validated.
     */
    static int next(Slice bytes, int position)
    {
        int flags = bytes.getByte(position + FLAGS_OFFSET);
        int next = position + MIN_SIZE;
        if ((flags & HAS_MIN) != 0) {
            next += Short.BYTES + bytes.getUnsignedShort(next);
        }
        if ((flags & HAS_MAX) != 0) {
            next += Short.BYTES + bytes.getUnsignedShort(next);
        }
        return next;
    }

    /**
     * Reads a number of elements and checks that this number of elements fits into the remaining input. A damaged count
     * therefore never causes a large allocation.
     *
     * @param minSize minimum size of an element in bytes
     * @throws IllegalArgumentException if the count is negative or too large
     */
    public static int readCount(SliceInput input, int minSize)
    {
        int count = input.readInt();
        checkArgument(count >= 0 && (long) count * minSize <= input.available(), "%s elements do not fit into the remaining %s bytes", count, input.available());
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
