package io.albis.format.statistics;

import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.OrderKeys;
import io.albis.format.type.StoredValues;

import java.util.Arrays;
import java.util.List;

/**
 * Decides whether the bounds of the runs of a segment are worth storing: whether a filter on the column is likely to
 * exclude some of the runs.
 */
public final class RunBounds
{
    // the bounds are stored if a run has at most half of the range of its segment, on average
    private static final double MAX_FRACTION = 0.5;
    // number of bytes of a text that are compared after the common prefix
    private static final int TEXT_BYTES = 6;

    private RunBounds() {}

    /**
     * Returns whether the runs have clearly tighter bounds than their segment.
     *
     * @param runs statistics of each run
     * @param segment statistics of the segment
     */
    public static boolean areTight(AlbisColumn column, List<ColumnStatistics> runs, ColumnStatistics segment)
    {
        if (runs.size() < 2 || segment.min().isEmpty() || segment.max().isEmpty()) {
            return false;
        }
        byte[] first = segment.min().get();
        byte[] last = segment.max().get();
        double range = distance(column, first, last, first, last);
        double sum = 0;
        for (ColumnStatistics run : runs) {
            if (run.min().isPresent() && run.max().isPresent()) {
                sum += distance(column, run.min().get(), run.max().get(), first, last);
            }
            else if (run.min().isPresent() || run.max().isPresent()) {
                sum += range;
            }
        }
        return range > 0 && sum <= MAX_FRACTION * runs.size() * range;
    }

    /**
     * Returns the distance between two values on a line of all values between the bounds of the segment.
     */
    private static double distance(AlbisColumn column, byte[] from, byte[] to, byte[] first, byte[] last)
    {
        OrderKeys orderKeys = OrderKeys.of(column.type());
        if (orderKeys.hasKeys()) {
            return key(column, orderKeys, to) - key(column, orderKeys, from);
        }
        int prefix = Arrays.mismatch(first, last);
        return prefix < 0 ? 0 : textKey(to, prefix) - textKey(from, prefix);
    }

    private static double key(AlbisColumn column, OrderKeys orderKeys, byte[] value)
    {
        long[] high = new long[1];
        long[] low = new long[1];
        orderKeys.extract(StoredValues.toBlock(column.storageType(), value), 0, 1, high, low);
        return high[0] + (orderKeys.isWide() ? low[0] * 0x1p-64 : 0);
    }

    private static double textKey(byte[] value, int prefix)
    {
        long key = 0;
        for (int i = prefix; i < prefix + TEXT_BYTES; i++) {
            key = (key << Byte.SIZE) | (i < value.length ? value[i] & 0xFF : 0);
        }
        return key;
    }
}
