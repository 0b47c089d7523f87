package io.albis.format.statistics;

import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.OrderKeys;
import io.trino.spi.block.Bitmap;
import io.trino.spi.block.ValueBlock;

import java.util.Optional;

/**
 * Collects the statistics of one column of one segment while its rows are written.
 */
public abstract sealed class StatisticsCollector
        permits BytesStatisticsCollector,
                KeyStatisticsCollector,
                NullStatisticsCollector,
                WideKeyStatisticsCollector
{
    private final int columnId;
    private long nullCount;

    protected StatisticsCollector(int columnId)
    {
        this.columnId = columnId;
    }

    /**
     * Creates a collector for the values of a column.
     *
     * @param scratch working arrays, which collectors of the same thread may share
     */
    public static StatisticsCollector create(AlbisColumn column, KeyScratch scratch)
    {
        OrderKeys keys = OrderKeys.of(column.type());
        return switch (keys) {
            case NONE -> new NullStatisticsCollector(column.id());
            case BYTES, CHAR -> new BytesStatisticsCollector(column.id(), keys);
            case INTEGRAL, REAL, DOUBLE, SHORT_TIME_WITH_TIME_ZONE, LONG_TIME_WITH_TIME_ZONE, SHORT_TIMESTAMP_WITH_TIME_ZONE -> new KeyStatisticsCollector(column.id(), keys, scratch);
            case LONG_TIMESTAMP_WITH_TIME_ZONE, LONG_TIMESTAMP, LONG_DECIMAL, SIXTEEN_BYTES -> new WideKeyStatisticsCollector(column.id(), keys, scratch);
        };
    }

    /**
     * Adds {@code count} positions starting at {@code offset}. The collector may keep a reference to the block until
     * {@link #releasePage} is called.
     */
    public final void append(ValueBlock block, int offset, int count)
    {
        Optional<Bitmap> bitmap = block.getValidityBitmap();
        if (bitmap.isPresent()) {
            long[] words = bitmap.get().getRawWords();
            int bitOffset = bitmap.get().getRawBitOffset() + offset;
            for (int i = 0; i < count; i += Long.SIZE) {
                int size = Math.min(Long.SIZE, count - i);
                nullCount += size - Long.bitCount(Bitmap.getBits(words, bitOffset, i, size));
            }
        }
        appendValues(block, offset, count);
    }

    protected abstract void appendValues(ValueBlock block, int offset, int count);

    /**
     * Releases all references to blocks that were appended.
     */
    public void releasePage() {}

    /**
     * Returns the statistics of the segment.
     */
    public abstract ColumnStatistics finish();

    protected ColumnStatistics finish(ValueOrder order, Optional<byte[]> min, Optional<byte[]> max)
    {
        return new ColumnStatistics(columnId, nullCount, order, min, max);
    }
}
