package io.albis.trino.usage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Sets;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisLayout;
import io.albis.table.model.TableColumnGroup;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Comparator.comparingInt;

/**
 * Groups the columns of a table by what queries read together.
 * <p>
 * The cost of column groups is estimated as follows. A read of some columns opens each group that has one of them.
 * Opening four groups costs as much as reading one column. The other columns of an open group cost as much as if they
 * were read: the row layout does read them, and in the block layout they are between the columns that are read, so that
 * these need more requests. All columns count the same, because their sizes are not known. {@link GreedyGrouping} looks
 * for groups of low cost. In the block layout, the estimate exceeds what groups can save, so they are proposed only if
 * they are few.
 */
public final class GroupProposal
{
    private record Form(AlbisLayout layout, Optional<Compression> compression) {}

    private GroupProposal() {}

    /**
     * Returns groups of all columns, so that no group has columns of different layouts or compressions. Groups and
     * their columns have the order of the table, but groups with columns that no query reads are the last ones.
     *
     * @param columns ids of all columns of the table, in its order
     * @param current the column groups of the table, with the layouts and compressions of the columns
     * @param usage what queries have read; the order does not matter
     */
    public static List<List<Integer>> of(List<Integer> columns, List<TableColumnGroup> current, List<UsedColumns> usage)
    {
        Map<Integer, Form> forms = new HashMap<>();
        current.forEach(group -> group.columns().forEach(column -> forms.put(column, new Form(group.layout(), group.compression()))));
        Map<Form, List<Integer>> alike = new LinkedHashMap<>();
        columns.forEach(column -> alike.computeIfAbsent(forms.get(column), _ -> new ArrayList<>()).add(column));

        List<List<Integer>> read = new ArrayList<>();
        ImmutableList.Builder<List<Integer>> unread = ImmutableList.builder();
        alike.forEach((form, ids) -> {
            for (ReadGroup group : group(form.layout(), ids, reads(form.layout(), ImmutableSet.copyOf(ids), usage))) {
                if (group.isRead()) {
                    read.add(group.columns());
                }
                else {
                    unread.add(group.columns());
                }
            }
        });
        Map<Integer, Integer> positions = new HashMap<>();
        columns.forEach(column -> positions.put(column, positions.size()));
        read.sort(comparingInt(group -> positions.get(group.getFirst())));
        return ImmutableList.<List<Integer>>builder()
                .addAll(read)
                .addAll(unread.build())
                .build();
    }

    private static List<ReadGroup> group(AlbisLayout layout, List<Integer> columns, List<Read> reads)
    {
        List<ReadGroup> groups = GreedyGrouping.group(columns, reads);
        return areFewEnough(layout, groups.size(), columns.size()) ? groups : ImmutableList.of(ReadGroup.union(groups, columns));
    }

    private static boolean areFewEnough(AlbisLayout layout, int groups, int columns)
    {
        return switch (layout) {
            // Groups save only requests. If a group has fewer than two columns on average, most of them save none, and
            // each costs two files for each row group
            case BLOCK -> 2 * groups <= columns;
            case ROW -> true;
        };
    }

    private static List<Read> reads(AlbisLayout layout, Set<Integer> columns, List<UsedColumns> usage)
    {
        Map<SortedSet<Integer>, Long> counts = new HashMap<>();
        for (UsedColumns used : usage) {
            for (Set<Integer> together : together(layout, used)) {
                SortedSet<Integer> read = ImmutableSortedSet.copyOf(Sets.intersection(together, columns));
                if (!read.isEmpty()) {
                    counts.merge(read, used.queries(), Long::sum);
                }
            }
        }
        return counts.entrySet().stream()
                .map(entry -> new Read(entry.getKey(), entry.getValue()))
                .collect(toImmutableList());
    }

    private static List<Set<Integer>> together(AlbisLayout layout, UsedColumns used)
    {
        return switch (layout) {
            case BLOCK -> ImmutableList.of(used.columns());
            // The columns of filters are read first, and the other columns only of the rows that match. In one group,
            // all columns of all rows would be read
            case ROW -> ImmutableList.of(used.filtered(), Sets.difference(used.columns(), used.filtered()));
        };
    }
}
