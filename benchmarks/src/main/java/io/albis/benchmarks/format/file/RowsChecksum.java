package io.albis.benchmarks.format.file;

import io.airlift.slice.Slice;
import io.airlift.slice.XxHash64;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.type.Int128;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.List;

/**
 * A checksum of the rows of several pages. It depends neither on the order of the rows nor on how they are divided into
 * pages.
 *
 * @param hash sum of the hashes of all rows; the hash of a row depends on all of its values and on their order
 */
public record RowsChecksum(long rows, long hash)
{
    private static final long NULL = 0x9E3779B97F4A7C15L;

    public static RowsChecksum of(Pages pages, List<Type> types)
            throws IOException
    {
        long rows = 0;
        long hash = 0;
        for (Page page = pages.next(); page != null; page = pages.next()) {
            if (page.getChannelCount() != types.size()) {
                throw new IllegalArgumentException("%s channels for %s columns".formatted(page.getChannelCount(), types.size()));
            }
            long[] hashes = new long[page.getPositionCount()];
            for (int channel = 0; channel < types.size(); channel++) {
                add(hashes, types.get(channel), page.getBlock(channel));
            }
            rows += hashes.length;
            for (long row : hashes) {
                hash += row;
            }
        }
        return new RowsChecksum(rows, hash);
    }

    private static void add(long[] hashes, Type type, Block block)
    {
        for (int position = 0; position < hashes.length; position++) {
            long value = block.isNull(position) ? NULL : hash(type, block, position);
            hashes[position] = XxHash64.hash(hashes[position], value);
        }
    }

    // Hashes the bits of a value instead of using the equality of its type, so that zero and negative zero differ
    private static long hash(Type type, Block block, int position)
    {
        if (type.getJavaType() == long.class) {
            return XxHash64.hash(type.getLong(block, position));
        }
        if (type.getJavaType() == double.class) {
            return XxHash64.hash(Double.doubleToRawLongBits(type.getDouble(block, position)));
        }
        if (type.getJavaType() == boolean.class) {
            return type.getBoolean(block, position) ? 1 : 0;
        }
        if (type.getJavaType() == Slice.class) {
            return XxHash64.hash(type.getSlice(block, position));
        }
        return switch (type.getObject(block, position)) {
            case Int128 value -> XxHash64.hash(XxHash64.hash(value.getHigh()), value.getLow());
            case LongTimestamp value -> XxHash64.hash(XxHash64.hash(value.getEpochMicros()), value.getPicosOfMicro());
            default -> throw new IllegalArgumentException("not supported: " + type);
        };
    }
}
