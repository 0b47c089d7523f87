package io.albis.trino.split;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.SegmentShare;
import io.albis.trino.handle.AlbisSplit;

import java.util.Iterator;
import java.util.stream.IntStream;

import static java.lang.Math.ceilDiv;
import static java.lang.Math.min;

/**
 * Generates the splits of a row group: one, or several of about the same size if the row group is large.
 */
final class RowGroupSplits
{
    private RowGroupSplits() {}

    /**
     * Generates the splits of a row group. The number of its segments is unknown here. If there are fewer segments than
     * splits, some splits have no rows.
     *
     * @param maxSplitBytes size on storage above which the row group has several splits, in bytes
     * @param hosts machines that store the largest file of the row group
     * @param bucket number that identifies the buckets of its rows; 0 if the scan is not distributed by buckets
     */
    public static Iterator<AlbisSplit> split(RowGroup rowGroup, long maxSplitBytes, FileHosts hosts, long bucket)
    {
        int count = count(rowGroup, maxSplitBytes);
        double weight = SplitWeights.weight((double) rowGroup.bytes() / count);
        // readers use neither the statistics nor the partition
        RowGroup stored = rowGroup.withStatistics(ImmutableList.of()).withPartition(ImmutableList.of());
        return IntStream.range(0, count)
                .mapToObj(index -> new SegmentShare(index, count))
                .map(share -> new AlbisSplit(stored, share, weight, hosts.of(share)).withBucket(bucket))
                .iterator();
    }

    /**
     * Returns the number of splits of a row group.
     */
    static int count(RowGroup rowGroup, long maxSplitBytes)
    {
        // a segment has at least one row, so the row group has at most as many segments as rows
        return (int) min(min(ceilDiv(rowGroup.bytes(), maxSplitBytes), rowGroup.rows()), Integer.MAX_VALUE);
    }
}
