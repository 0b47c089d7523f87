package io.albis.trino.usage;

import com.google.common.collect.ImmutableList;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Comparator.comparingInt;

/**
 * Groups columns by the reads that need them. At first, only columns that the same reads need are in one group. Then
 * the two groups whose union saves most are united, until no union saves anything.
 */
final class GreedyGrouping
{
    // Opening a group costs 1, and an unneeded column in it this much
    private static final long COLUMN_COST = 4;
    // The time grows with the cube of the number of groups, and with the product of both
    private static final int MAX_GROUPS = 500;
    private static final int MAX_READS = 1000;

    // places of the columns in the result
    private final Map<Integer, Integer> positions = new HashMap<>();
    private final List<Read> reads;
    // null for a group that was added to another one
    private final List<ReadGroup> groups;
    private final long[][] savings;

    private GreedyGrouping(List<Integer> columns, List<Read> reads, List<ReadGroup> groups)
    {
        columns.forEach(column -> positions.put(column, positions.size()));
        this.reads = reads;
        this.groups = new ArrayList<>(groups);
        this.savings = new long[groups.size()][groups.size()];
    }

    /**
     * @param columns ids of the columns
     * @param reads reads of these columns. Only the most frequent ones matter if there are too many
     * @return groups of all columns, in the order of the given columns. Columns that no read needs are in one group
     */
    static List<ReadGroup> group(List<Integer> columns, List<Read> reads)
    {
        List<Read> frequent = reads.stream()
                .sorted(Read.MOST_OFTEN_FIRST)
                .limit(MAX_READS)
                .collect(toImmutableList());
        return new GreedyGrouping(columns, frequent, alike(columns, frequent)).unite();
    }

    /**
     * Groups the columns that the same reads need. If there are too many groups, columns that only less frequent reads
     * distinguish are in one.
     */
    private static List<ReadGroup> alike(List<Integer> columns, List<Read> reads)
    {
        List<ReadGroup> groups = columns.isEmpty() ? ImmutableList.of() : ImmutableList.of(new ReadGroup(columns, new BitSet()));
        // each read divides a group into two at most
        for (int i = 0; i < reads.size() && groups.size() <= MAX_GROUPS / 2; i++) {
            List<ReadGroup> divided = new ArrayList<>();
            for (ReadGroup group : groups) {
                List<Integer> needed = new ArrayList<>();
                List<Integer> others = new ArrayList<>();
                for (int column : group.columns()) {
                    (reads.get(i).columns().contains(column) ? needed : others).add(column);
                }
                if (!needed.isEmpty()) {
                    BitSet withRead = (BitSet) group.reads().clone();
                    withRead.set(i);
                    divided.add(new ReadGroup(needed, withRead));
                }
                if (!others.isEmpty()) {
                    divided.add(new ReadGroup(others, group.reads()));
                }
            }
            groups = divided;
        }
        return groups;
    }

    private List<ReadGroup> unite()
    {
        for (int i = 0; i < groups.size(); i++) {
            for (int j = i + 1; j < groups.size(); j++) {
                savings[i][j] = saving(groups.get(i), groups.get(j));
            }
        }
        boolean united = true;
        while (united) {
            united = uniteBest();
        }
        return groups.stream()
                .filter(Objects::nonNull)
                .sorted(comparingInt(group -> positions.get(group.columns().getFirst())))
                .collect(toImmutableList());
    }

    private boolean uniteBest()
    {
        long best = 0;
        int first = 0;
        int second = 0;
        for (int i = 0; i < savings.length; i++) {
            for (int j = i + 1; j < savings.length; j++) {
                if (savings[i][j] > best) {
                    best = savings[i][j];
                    first = i;
                    second = j;
                }
            }
        }
        if (best == 0) {
            return false;
        }
        groups.set(first, union(groups.get(first), groups.get(second)));
        groups.set(second, null);
        for (int other = 0; other < savings.length; other++) {
            setSaving(other, second, 0);
            boolean exists = other != first && groups.get(other) != null;
            setSaving(other, first, exists ? saving(groups.get(first), groups.get(other)) : 0);
        }
        return true;
    }

    private void setSaving(int left, int right, long saving)
    {
        savings[min(left, right)][max(left, right)] = saving;
    }

    /**
     * Returns what the union of two groups saves. It is negative if the union costs more.
     */
    private long saving(ReadGroup left, ReadGroup right)
    {
        BitSet both = (BitSet) left.reads().clone();
        both.and(right.reads());
        long together = count(both);
        long leftOnly = count(left.reads()) - together;
        long rightOnly = count(right.reads()) - together;
        return together - COLUMN_COST * (leftOnly * right.columns().size() + rightOnly * left.columns().size());
    }

    private long count(BitSet needed)
    {
        long count = 0;
        for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
            count += reads.get(i).count();
        }
        return count;
    }

    private ReadGroup union(ReadGroup left, ReadGroup right)
    {
        List<Integer> columns = new ArrayList<>(left.columns());
        columns.addAll(right.columns());
        columns.sort(comparingInt(positions::get));
        return ReadGroup.union(ImmutableList.of(left, right), columns);
    }
}
