package io.albis.benchmarks.format.slice;

import com.google.common.collect.ImmutableList;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * The result of a check that all methods find the same rows.
 *
 * @param rows number of rows of each range
 */
public record SearchCheck(List<Long> rows, SearchSizes sizes)
{
    public SearchCheck
    {
        rows = ImmutableList.copyOf(rows);
    }

    /**
     * Searches the ranges in each row group, and compares the rows with those of a plain loop.
     *
     * @throws IllegalStateException if a method finds other rows
     */
    public static SearchCheck check(SearchedColumn column, List<ValueRange> ranges)
            throws IOException
    {
        long[] rows = new long[ranges.size()];
        SearchSizes sizes = SearchSizes.NONE;
        for (int rowGroup = 0; rowGroup < column.rowGroups(); rowGroup++) {
            long[] values = column.values(rowGroup);
            int[] expected = new int[values.length];
            int[] positions = new int[values.length];
            List<RangeSearch> searches = Arrays.stream(SearchMethod.values())
                    .map(method -> method.create(values))
                    .collect(toImmutableList());
            for (int i = 0; i < rows.length; i++) {
                int count = loop(values, ranges.get(i), expected);
                rows[i] += count;
                for (RangeSearch search : searches) {
                    int found = search.search(ranges.get(i), positions);
                    checkState(
                            Arrays.equals(positions, 0, found, expected, 0, count),
                            "%s does not find the rows of %s in row group %s of column %s",
                            search.getClass().getSimpleName(),
                            ranges.get(i),
                            rowGroup,
                            column.name());
                }
            }
            sizes = sizes.plus(SearchSizes.of(values));
        }
        return new SearchCheck(Arrays.stream(rows).boxed().toList(), sizes);
    }

    private static int loop(long[] values, ValueRange range, int[] positions)
    {
        int size = 0;
        for (int row = 0; row < values.length; row++) {
            if (values[row] >= range.low() && values[row] <= range.high()) {
                positions[size] = row;
                size++;
            }
        }
        return size;
    }
}
