package io.albis.table.model;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.stream.Collectors.joining;

/**
 * The columns by which writers sort rows, as a version stores them: in a property, with the ids of the columns, so that
 * new names do not matter.
 */
public final class SortColumns
{
    /**
     * The name of the property.
     */
    public static final String PROPERTY = "sorted_by";

    private static final Pattern COLUMN = Pattern.compile("([1-9][0-9]{0,8}) (ASC|DESC) NULLS (FIRST|LAST)");
    private static final String SEPARATOR = ", ";

    private SortColumns() {}

    public static String format(List<SortColumn> columns)
    {
        return columns.stream()
                .map(SortColumn::toString)
                .collect(joining(SEPARATOR));
    }

    /**
     * Returns the columns in the properties of a table, the most important one first; empty if rows are not sorted.
     *
     * @throws IllegalArgumentException if the property is not what {@link #format} returns
     */
    public static List<SortColumn> of(Map<String, String> properties)
    {
        String text = properties.get(PROPERTY);
        if (text == null) {
            return ImmutableList.of();
        }
        return Splitter.on(SEPARATOR).splitToStream(text)
                .map(SortColumns::parse)
                .collect(toImmutableList());
    }

    /**
     * Returns those columns in the properties of a table that the table has. A build that does not know the property
     * may have dropped a column; rows are then sorted by the columns before it.
     *
     * @throws IllegalArgumentException if the property is not what {@link #format} returns
     */
    public static List<SortColumn> of(Map<String, String> properties, List<TableColumn> columns)
    {
        Set<Integer> ids = columns.stream()
                .map(TableColumn::id)
                .collect(toImmutableSet());
        return of(properties).stream()
                .takeWhile(column -> ids.contains(column.columnId()))
                .collect(toImmutableList());
    }

    private static SortColumn parse(String text)
    {
        Matcher matcher = COLUMN.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("invalid sort column: " + text);
        }
        return new SortColumn(Integer.parseInt(matcher.group(1)), matcher.group(2).equals("ASC"), matcher.group(3).equals("FIRST"));
    }

    /**
     * Returns the properties with other column ids.
     *
     * @param increase number by which each id increases
     */
    static Map<String, String> withIncreasedIds(Map<String, String> properties, int increase)
    {
        List<SortColumn> columns = of(properties);
        if (columns.isEmpty()) {
            return properties;
        }
        List<SortColumn> increased = columns.stream()
                .map(column -> new SortColumn(column.columnId() + increase, column.ascending(), column.nullsFirst()))
                .collect(toImmutableList());
        return ImmutableMap.<String, String>builder()
                .putAll(properties)
                .put(PROPERTY, format(increased))
                .buildKeepingLast();
    }

    /**
     * Returns whether rows are sorted by a column.
     */
    public static boolean contains(Map<String, String> properties, int columnId)
    {
        return of(properties).stream().anyMatch(column -> column.columnId() == columnId);
    }
}
