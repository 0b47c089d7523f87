package io.albis.benchmarks.workload;

import java.util.List;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * An aggregation of some columns of a table without any other operation, so that its cost is mainly the cost of reading
 * the columns.
 */
public record Projection(String function, String table, List<String> columns)
{
    public Projection
    {
        requireNonNull(function, "function is null");
        requireNonNull(table, "table is null");
        columns = columns.stream().collect(toImmutableList());
    }

    /**
     * Creates a projection of some columns.
     *
     * @param width number of columns, picked evenly so that all types are included
     */
    public static Projection of(String function, String table, List<String> columns, int width)
    {
        checkArgument(width >= 1 && width <= columns.size(), "%s has %s columns, not %s", table, columns.size(), width);
        return new Projection(function, table, IntStream.range(0, width)
                .mapToObj(index -> columns.get((2 * index + 1) * columns.size() / (2 * width)))
                .collect(toImmutableList()));
    }

    public String name()
    {
        return "%s of %s".formatted(function, columns.size());
    }

    /**
     * Returns the number of columns that is part of the name.
     */
    public static String widthOf(String name)
    {
        return name.substring(name.lastIndexOf(' ') + 1);
    }

    public String sql()
    {
        String aggregations = columns.stream()
                .map(column -> "%s(%s)".formatted(function, column))
                .collect(joining(", "));
        return "SELECT %s FROM %s".formatted(aggregations, table);
    }
}
