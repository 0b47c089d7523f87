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
 * Makes splits of row groups: one, or several of about the same size of a row group that is large.
 */
final class RowGroupSplits
{
    private static final long STANDARD_SPLIT_BYTES = DataSize.of(128, MEGABYTE).toBytes();
    private static final double MIN_WEIGHT = 0.05;

    private RowGroupSplits() {}

    /**
     * @param maxSplitBytes a row group of more bytes is split, as far as it has segments
     * @param hosts of the file that is most of it
     */
    public static Iterator<AlbisSplit> split(RowGroup rowGroup, long maxSplitBytes, FileHosts hosts)
    {
        // no more than there can be segments
        int count = (int) min(min(ceilDiv(rowGroup.bytes(), maxSplitBytes), rowGroup.rows()), Integer.MAX_VALUE);
        double weight = constrainToRange((double) rowGroup.bytes() / count / STANDARD_SPLIT_BYTES, MIN_WEIGHT, 1);
        RowGroup withoutStatistics = rowGroup.withStatistics(ImmutableList.of());
        return IntStream.range(0, count)
                .mapToObj(index -> new SegmentShare(index, count))
                .map(share -> new AlbisSplit(withoutStatistics, share, weight, hosts.of(share)))
                .iterator();
    }
}
