package io.albis.benchmarks.format.slice;

import org.roaringbitmap.BatchIterator;
import org.roaringbitmap.RangeBitmap;

import static java.util.Objects.requireNonNull;

/**
 * A bit-sliced index (O'Neil and Quass, "Improved query performance with variant indexes", SIGMOD 1997): a bitmap of
 * the rows for each bit of the ranks of the values. {@link RangeBitmap} keeps the bitmaps of 65,536 rows together, and
 * evaluates both ends of a range at once.
 */
final class BitSlices
        implements RangeSearch
{
    private static final int BATCH = 8192;

    private final RankedValues ranked;
    private final RangeBitmap slices;
    private final long bytes;
    private final int[] batch = new int[BATCH];

    BitSlices(long[] values, RankedValues ranked)
    {
        this.ranked = requireNonNull(ranked, "ranked is null");
        RangeBitmap.Appender appender = RangeBitmap.appender(ranked.count() - 1);
        for (long value : values) {
            appender.add(ranked.firstRank(value));
        }
        this.bytes = appender.serializedSizeInBytes();
        this.slices = appender.build();
    }

    @Override
    public int search(ValueRange range, int[] positions)
    {
        int first = ranked.firstRank(range.low());
        int last = ranked.lastRank(range.high());
        if (first > last) {
            return 0;
        }
        int size = 0;
        BatchIterator found = slices.between(first, last).getBatchIterator();
        while (found.hasNext()) {
            int count = found.nextBatch(batch);
            System.arraycopy(batch, 0, positions, size, count);
            size += count;
        }
        return size;
    }

    /**
     * Returns the number of bytes of the slices, without those of the values that have the ranks.
     */
    long bytes()
    {
        return bytes;
    }
}
