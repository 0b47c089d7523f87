package io.albis.trino.split;

import com.google.common.collect.ImmutableList;
import io.airlift.units.DataSize;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.SegmentShare;
import io.albis.trino.handle.AlbisSplit;

import java.util.Iterator;
import java.util.stream.IntStream;

import static com.google.common.primitives.Doubles.constrainToRange;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.lang.Math.ceilDiv;
import static java.lang.Math.min;

/**
 * Generates the splits of a row group: one, or several of about the same size if the row group is large.
 */
final class RowGroupSplits
{
    private static final long STANDARD_SPLIT_BYTES = DataSize.of(128, MEGABYTE).toBytes();
    private static final double MIN_WEIGHT = 0.05;

    private RowGroupSplits() {}

    /**
     * Generates the splits of a row group. The number of its segments is unknown here. If there are fewer segments than
     * splits, some splits have no rows.
     *
     * @param maxSplitBytes size on storage above which the row group has several splits, in bytes
     * @param hosts machines that store the largest file of the row group
     */
    public static Iterator<AlbisSplit> split(RowGroup rowGroup, long maxSplitBytes, FileHosts hosts)
    {
        // a segment has at least one row, so the row group has at most as many segments as rows
        int count = (int) min(min(ceilDiv(rowGroup.bytes(), maxSplitBytes), rowGroup.rows()), Integer.MAX_VALUE);
        double weight = constrainToRange((double) rowGroup.bytes() / count / STANDARD_SPLIT_BYTES, MIN_WEIGHT, 1);
        RowGroup withoutStatistics = rowGroup.withStatistics(ImmutableList.of());
        return IntStream.range(0, count)
                .mapToObj(index -> new SegmentShare(index, count))
                .map(share -> new AlbisSplit(withoutStatistics, share, weight, hosts.of(share)))
                .iterator();
    }
}
