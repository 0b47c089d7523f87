package io.albis.trino.usage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisLayout;
import io.albis.table.model.TableColumnGroup;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.schema.AlbisLayout.BLOCK;
import static io.albis.format.schema.AlbisLayout.ROW;
import static java.util.Collections.disjoint;
import static org.assertj.core.api.Assertions.assertThat;

class TestGroupProposal
{
    private static final List<Integer> NONE = ImmutableList.of();

    @Test
    void testColumnsReadTogether()
    {
        assertProposal(BLOCK, ImmutableList.of(used(10, ImmutableList.of(1, 3), NONE)), group(1, 3), group(2, 4, 5, 6));
        assertProposal(BLOCK, ImmutableList.of(used(10, ImmutableList.of(3, 1), NONE), used(2, ImmutableList.of(4, 2), NONE)), group(1, 3), group(2, 4), group(5, 6));
        assertProposal(BLOCK, ImmutableList.of(used(10, ImmutableList.of(1, 2, 3, 4, 5, 6), NONE)), group(1, 2, 3, 4, 5, 6));
        assertProposal(BLOCK, ImmutableList.of(used(10, ImmutableList.of(5), NONE), used(10, ImmutableList.of(4), NONE)), group(4), group(5), group(1, 2, 3, 6));
    }

    /**
     * Two columns share a group if queries read both more than four times as often as one of them.
     */
    @Test
    void testColumnsNearlyAlwaysReadTogether()
    {
        assertProposal(BLOCK, ImmutableList.of(used(40, ImmutableList.of(1, 2), NONE), used(9, ImmutableList.of(1), NONE)), group(1, 2), group(3, 4, 5, 6));
        assertProposal(BLOCK, ImmutableList.of(used(40, ImmutableList.of(1, 2), NONE), used(10, ImmutableList.of(1), NONE)), group(1), group(2), group(3, 4, 5, 6));
        // a large group would be read for one column
        assertProposal(BLOCK, ImmutableList.of(used(40, ImmutableList.of(1, 2, 3, 4), NONE), used(9, ImmutableList.of(1), NONE)), group(1), group(2, 3, 4), group(5, 6));
        // a query that reads everything from time to time does not matter
        assertProposal(
                BLOCK,
                ImmutableList.of(used(100, ImmutableList.of(1, 2), NONE), used(100, ImmutableList.of(3, 4), NONE), used(1, ImmutableList.of(1, 2, 3, 4, 5, 6), NONE)),
                group(1, 2),
                group(3, 4),
                group(5, 6));
    }

    /**
     * In the row layout, a group of its own saves reading the other columns of rows that do not match.
     */
    @Test
    void testFilteredColumnsOfRowLayout()
    {
        List<UsedColumns> usage = ImmutableList.of(used(10, ImmutableList.of(1, 2, 4), ImmutableList.of(4)));
        assertProposal(BLOCK, usage, group(1, 2, 4), group(3, 5, 6));
        assertProposal(ROW, usage, group(1, 2), group(4), group(3, 5, 6));
        assertProposal(ROW, ImmutableList.of(used(10, ImmutableList.of(1, 4), ImmutableList.of(1, 4))), group(1, 4), group(2, 3, 5, 6));
    }

    /**
     * In the block layout, more than half as many groups as columns are not proposed.
     */
    @Test
    void testManyGroups()
    {
        List<UsedColumns> usage = ImmutableList.of(
                used(1, ImmutableList.of(1), NONE),
                used(1, ImmutableList.of(2, 4), ImmutableList.of(2, 4)),
                used(1, ImmutableList.of(2, 4, 5), ImmutableList.of(2, 4, 5)),
                used(1, ImmutableList.of(3), NONE),
                used(1, ImmutableList.of(6), NONE));
        assertProposal(ROW, usage, group(1), group(2, 4), group(3), group(5), group(6));
        assertProposal(BLOCK, usage, group(1, 2, 3, 4, 5, 6));
        // the fourth group is that of the columns that no query reads
        List<UsedColumns> three = usage.subList(0, 3);
        assertProposal(ROW, three, group(1), group(2, 4), group(5), group(3, 6));
        assertProposal(BLOCK, three, group(1, 2, 3, 4, 5, 6));
        assertProposal(BLOCK, usage.subList(0, 2), group(1), group(2, 4), group(3, 5, 6));
    }

    @Test
    void testOtherLayoutsAndCompressions()
    {
        List<TableColumnGroup> current = ImmutableList.of(
                new TableColumnGroup(ROW, ImmutableList.of(1, 2)),
                new TableColumnGroup(BLOCK, ImmutableList.of(5)),
                new TableColumnGroup(BLOCK, ImmutableList.of(3, 4), Optional.of(Compression.ZSTD)),
                new TableColumnGroup(BLOCK, ImmutableList.of(6)));
        assertThat(GroupProposal.of(ImmutableList.of(6, 5, 4, 3, 2, 1), current, ImmutableList.of(used(7, ImmutableList.of(1, 2, 3, 5, 6), NONE))))
                .containsExactly(group(6, 5), group(4, 3), group(2, 1));
    }

    @Test
    void testWithoutUsage()
    {
        assertProposal(BLOCK, ImmutableList.of(), group(1, 2, 3, 4, 5, 6));
    }

    /**
     * The time is bounded for wide tables whose queries are all different. Columns are then grouped by the most
     * frequent ones.
     */
    @Test
    @Timeout(60)
    void testManyColumns()
    {
        int columnCount = 10_000;
        Random random = new Random(1);
        List<UsedColumns> usage = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            usage.add(used(1 + i, random.ints(50, 1, columnCount).distinct().boxed().collect(toImmutableList()), NONE));
        }
        usage.add(used(1_000_000_000, ImmutableList.of(7, columnCount), NONE));
        List<Integer> columns = IntStream.rangeClosed(1, columnCount).boxed().collect(toImmutableList());
        List<List<Integer>> groups = GroupProposal.of(columns, oneGroup(BLOCK, columns), usage);
        assertThat(groups).contains(group(7, columnCount)).hasSizeLessThan(600);
        assertThat(groups.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(columns);
    }

    @Property(tries = 500)
    void testRandomUsage(@ForAll @IntRange(min = 1, max = 12) int columnCount, @ForAll @IntRange(max = 12) int sets, @ForAll AlbisLayout layout, @ForAll long seed)
    {
        Random random = new Random(seed);
        List<Integer> columns = new ArrayList<>(IntStream.rangeClosed(1, columnCount).boxed().toList());
        Collections.shuffle(columns, random);
        List<UsedColumns> usage = new ArrayList<>();
        for (int i = 0; i < sets; i++) {
            List<Integer> read = columns.stream().filter(_ -> random.nextInt(3) > 0).toList();
            if (!read.isEmpty()) {
                usage.add(used(1 + random.nextInt(random.nextBoolean() ? 3 : 1000), read, read.stream().filter(_ -> random.nextInt(4) == 0).toList()));
            }
        }
        List<List<Integer>> groups = GroupProposal.of(columns, oneGroup(layout, columns), usage);

        // every column is in one group, in the order of the table
        assertThat(groups.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(columns);
        groups.forEach(group -> assertThat(columns.stream().filter(group::contains)).containsExactlyElementsOf(group));
        boolean together = layout == BLOCK && groups.size() == 1;
        if (layout == BLOCK) {
            assertThat(groups.size()).isLessThanOrEqualTo(Math.max(1, columnCount / 2));
        }
        // the last group has the columns that are never read
        Set<Integer> used = new HashSet<>();
        usage.forEach(set -> used.addAll(set.columns()));
        List<Integer> unused = columns.stream().filter(column -> !used.contains(column)).toList();
        List<List<Integer>> usedGroups = unused.isEmpty() || together ? groups : groups.subList(0, groups.size() - 1);
        if (!unused.isEmpty() && !together) {
            assertThat(groups.getLast()).isEqualTo(unused);
        }
        assertThat(usedGroups.stream().map(group -> columns.indexOf(group.getFirst()))).isSorted();
        // neither the union of two groups nor one group for each column costs less
        long cost = cost(layout, usedGroups, usage);
        for (List<Integer> left : usedGroups) {
            for (List<Integer> right : usedGroups) {
                if (left != right) {
                    List<List<Integer>> united = new ArrayList<>(usedGroups);
                    united.remove(left);
                    united.remove(right);
                    united.add(ImmutableList.<Integer>builder().addAll(left).addAll(right).build());
                    assertThat(cost(layout, united, usage)).isGreaterThanOrEqualTo(cost);
                }
            }
        }
        if (!together) {
            assertThat(cost(layout, columns.stream().map(ImmutableList::of).collect(toImmutableList()), usage)).isGreaterThanOrEqualTo(cost);
        }
        // the order of the usage does not matter, and neither does its amount
        List<UsedColumns> others = new ArrayList<>(usage.stream().map(set -> new UsedColumns(set.columns(), set.filtered(), 3 * set.queries(), set.lastUsed())).toList());
        Collections.shuffle(others, random);
        assertThat(GroupProposal.of(columns, oneGroup(layout, columns), others)).isEqualTo(groups);
    }

    private static long cost(AlbisLayout layout, List<? extends List<Integer>> groups, List<UsedColumns> usage)
    {
        long cost = 0;
        for (UsedColumns used : usage) {
            Set<Integer> others = new HashSet<>(used.columns());
            others.removeAll(used.filtered());
            List<Set<Integer>> reads = layout == ROW ? ImmutableList.of(used.filtered(), others) : ImmutableList.of(used.columns());
            for (Set<Integer> read : reads) {
                for (List<Integer> group : groups) {
                    if (!disjoint(group, read)) {
                        cost += used.queries() * (1 + 4 * group.stream().filter(column -> !read.contains(column)).count());
                    }
                }
            }
        }
        return cost;
    }

    @SafeVarargs
    private static void assertProposal(AlbisLayout layout, List<UsedColumns> usage, List<Integer>... groups)
    {
        List<Integer> columns = ImmutableList.of(1, 2, 3, 4, 5, 6);
        assertThat(GroupProposal.of(columns, oneGroup(layout, columns), usage)).containsExactly(groups);
    }

    private static List<TableColumnGroup> oneGroup(AlbisLayout layout, List<Integer> columns)
    {
        return ImmutableList.of(new TableColumnGroup(layout, columns));
    }

    private static List<Integer> group(Integer... columns)
    {
        return ImmutableList.copyOf(columns);
    }

    private static UsedColumns used(long queries, List<Integer> columns, List<Integer> filtered)
    {
        return new UsedColumns(ImmutableSortedSet.copyOf(columns), ImmutableSortedSet.copyOf(filtered), queries, Instant.EPOCH);
    }
}
