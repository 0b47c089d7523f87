package io.albis.table.model;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.common.collect.Sets;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.stream.Collectors.joining;

/**
 * The columns with an index, as a version stores them: in a property, with the ids of the columns, so that new names do
 * not matter. A row group has the indexes that its writer knew, so it may lack one of them or have others.
 */
public final class IndexedColumns
{
    /**
     * The name of the property.
     */
    public static final String PROPERTY = "indexed_by";

    private static final Pattern COLUMN_ID = Pattern.compile("[1-9][0-9]{0,8}");
    private static final String SEPARATOR = ", ";

    private IndexedColumns() {}

    public static String format(Collection<Integer> columnIds)
    {
        return columnIds.stream()
                .map(String::valueOf)
                .collect(joining(SEPARATOR));
    }

    /**
     * Returns the ids of the columns in the properties of a table.
     *
     * @throws IllegalArgumentException if the property is not what {@link #format} returns
     */
    public static Set<Integer> of(Map<String, String> properties)
    {
        String text = properties.get(PROPERTY);
        if (text == null) {
            return ImmutableSet.of();
        }
        return Splitter.on(SEPARATOR).splitToStream(text)
                .map(IndexedColumns::parse)
                .collect(toImmutableSet());
    }

    private static int parse(String text)
    {
        checkArgument(COLUMN_ID.matcher(text).matches(), "invalid id of an indexed column: %s", text);
        return Integer.parseInt(text);
    }

    /**
     * Returns the properties with indexes of further columns, and without those of others.
     *
     * @param added ids of columns that get an index
     * @param dropped ids of columns that lose their index
     */
    public static Map<String, String> change(Map<String, String> properties, Set<Integer> added, Set<Integer> dropped)
    {
        Set<Integer> columnIds = Sets.difference(Sets.union(of(properties), added), dropped);
        ImmutableMap.Builder<String, String> changed = ImmutableMap.<String, String>builder()
                .putAll(Maps.filterKeys(properties, name -> !name.equals(PROPERTY)));
        if (!columnIds.isEmpty()) {
            changed.put(PROPERTY, format(columnIds));
        }
        return changed.buildOrThrow();
    }

    /**
     * Returns the properties with other column ids.
     *
     * @param increase number by which each id increases
     */
    static Map<String, String> withIncreasedIds(Map<String, String> properties, int increase)
    {
        Set<Integer> columnIds = of(properties);
        if (columnIds.isEmpty()) {
            return properties;
        }
        List<Integer> increased = columnIds.stream()
                .map(id -> id + increase)
                .collect(toImmutableList());
        return ImmutableMap.<String, String>builder()
                .putAll(properties)
                .put(PROPERTY, format(increased))
                .buildKeepingLast();
    }
}
