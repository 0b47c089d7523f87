package io.albis.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterators;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.SegmentShare;
import io.albis.table.row.RowChanges;
import io.albis.table.row.RowGroupChange;
import io.albis.trino.changes.TableChangesSplit;
import io.trino.spi.connector.ConnectorSplit;

import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * Generates the splits of table_changes: one for each row group that a version has changed, or several for a large one.
 * Each version is read when its splits are requested.
 */
final class ChangeSplits
        implements Iterable<ConnectorSplit>
{
    private final Iterator<RowChanges> versions;
    private final long maxSplitBytes;

    /**
     * @param maxSplitBytes size on storage above which a row group has several splits, in bytes
     */
    ChangeSplits(Iterator<RowChanges> versions, long maxSplitBytes)
    {
        this.versions = requireNonNull(versions, "versions is null");
        this.maxSplitBytes = maxSplitBytes;
    }

    /**
     * Returns the splits. This can be called only once.
     */
    @Override
    public Iterator<ConnectorSplit> iterator()
    {
        return Iterators.concat(Iterators.transform(versions, this::splits));
    }

    private Iterator<ConnectorSplit> splits(RowChanges version)
    {
        ImmutableList.Builder<ConnectorSplit> splits = ImmutableList.builder();
        for (RowGroupChange change : version.rowGroups()) {
            int count = isDivisible(change) ? Math.max(count(change.before()), count(change.after())) : 1;
            double weight = SplitWeights.weight((bytes(change.before()) + bytes(change.after())) / count);
            Optional<RowGroup> before = change.before().map(ChangeSplits::stored);
            Optional<RowGroup> after = change.after().map(ChangeSplits::stored);
            for (int index = 0; index < count; index++) {
                splits.add(new TableChangesSplit(
                        version.version(),
                        version.time().toEpochMilli(),
                        version.ordinal(),
                        before,
                        after,
                        change.rewritten(),
                        new SegmentShare(index, count),
                        weight));
            }
        }
        return splits.build().iterator();
    }

    /**
     * Returns whether each share has the same rows before and after the change. Without any of the columns that are
     * compared, such as one that was added, a row group has no segments to share, and its first share has all rows.
     */
    private static boolean isDivisible(RowGroupChange change)
    {
        Set<Integer> rewritten = change.rewritten();
        return rewritten.isEmpty() || Stream.of(change.before(), change.after()).noneMatch(rowGroup -> rowGroup.orElseThrow().columnGroupsWith(rewritten).isEmpty());
    }

    private int count(Optional<RowGroup> rowGroup)
    {
        return rowGroup.map(present -> RowGroupSplits.count(present, maxSplitBytes)).orElse(0);
    }

    private static double bytes(Optional<RowGroup> rowGroup)
    {
        return rowGroup.map(RowGroup::currentBytes).orElse(0.0);
    }

    /**
     * Returns a row group without its statistics and its partition, which readers do not use.
     */
    private static RowGroup stored(RowGroup rowGroup)
    {
        return rowGroup.withStatistics(ImmutableList.of()).withPartition(ImmutableList.of());
    }
}
