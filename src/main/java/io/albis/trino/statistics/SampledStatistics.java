package io.albis.trino.statistics;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.partition.RowGroupPredicate;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.SplittableRandom;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * The row groups whose bounds and partitions a predicate does not exclude, or a sample of them if they are many.
 *
 * @param isComplete whether these are all of them
 */
record SampledStatistics(List<RowsStatistics> parts, boolean isComplete)
{
    /**
     * The number of row groups of which a sample consists. If there are fewer than two times as many, all are used.
     */
    static final int SIZE = 1000;

    // a smaller sample says too little about the others
    private static final int MIN_SIZE = 100;

    // always the same, so that a query has the same plan each time
    private static final long SEED = 1;

    SampledStatistics
    {
        parts = ImmutableList.copyOf(parts);
    }

    static SampledStatistics of(List<RowGroup> rowGroups, TupleDomain<AlbisColumn> predicate)
    {
        RowGroupPredicate matching = new RowGroupPredicate(predicate);
        SampledStatistics sample = overlapping(sample(rowGroups), matching, rowGroups.size());
        if (sample.isComplete() || sample.parts().size() >= MIN_SIZE) {
            return sample;
        }
        // the predicate excludes nearly all of them
        List<RowGroup> overlapping = rowGroups.stream()
                .filter(matching::overlaps)
                .collect(toImmutableList());
        return overlapping(sample(overlapping), new RowGroupPredicate(TupleDomain.all()), overlapping.size());
    }

    private static SampledStatistics overlapping(List<RowGroup> sample, RowGroupPredicate matching, int count)
    {
        double weight = sample.isEmpty() ? 1 : (double) count / sample.size();
        ImmutableList.Builder<RowsStatistics> parts = ImmutableList.builder();
        for (RowGroup rowGroup : sample) {
            if (matching.overlaps(rowGroup)) {
                parts.add(new RowsStatistics.OfRowGroup(rowGroup, weight));
            }
        }
        return new SampledStatistics(parts.build(), sample.size() == count);
    }

    /**
     * Chooses one row group at random of each of as many sequences of equal length. Every so many row groups would be
     * of the same partition if each load wrote the same partitions.
     */
    private static List<RowGroup> sample(List<RowGroup> rowGroups)
    {
        if (rowGroups.size() < 2 * SIZE) {
            return rowGroups;
        }
        SplittableRandom random = new SplittableRandom(SEED);
        ImmutableList.Builder<RowGroup> sample = ImmutableList.builderWithExpectedSize(SIZE);
        for (int i = 0; i < SIZE; i++) {
            int first = (int) ((long) rowGroups.size() * i / SIZE);
            int end = (int) ((long) rowGroups.size() * (i + 1) / SIZE);
            sample.add(rowGroups.get(random.nextInt(first, end)));
        }
        return sample.build();
    }
}
