package io.albis.table.model;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.io.TooNewException;
import io.albis.format.metadata.PartitionValue;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.stream.Collectors.joining;

/**
 * The functions by which writers partition rows, as a version stores them: in a property, with the ids of the columns,
 * so that new names do not matter.
 */
public final class PartitionFields
{
    /**
     * The name of the property.
     */
    public static final String PROPERTY = "partitioned_by";

    private static final Pattern FIELD = Pattern.compile("([1-9][0-9]{0,8}) ([a-z][a-z0-9_-]*)(?: ([1-9][0-9]{0,9}))?");
    private static final String SEPARATOR = ", ";

    private PartitionFields() {}

    public static String format(List<PartitionField> fields)
    {
        return fields.stream()
                .map(PartitionField::toString)
                .collect(joining(SEPARATOR));
    }

    /**
     * Returns the functions in the properties of a table; empty if rows are not partitioned.
     *
     * @throws TooNewException if the property has a function that this version of Albis does not know
     * @throws IllegalArgumentException if the property is not what {@link #format} returns
     */
    public static List<PartitionField> of(Map<String, String> properties)
    {
        String text = properties.get(PROPERTY);
        if (text == null) {
            return ImmutableList.of();
        }
        return Splitter.on(SEPARATOR).splitToStream(text)
                .map(PartitionFields::parse)
                .collect(toImmutableList());
    }

    private static PartitionField parse(String text)
    {
        Matcher matcher = FIELD.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("invalid function of a partition: " + text);
        }
        PartitionTransform transform = PartitionTransform.find(matcher.group(2))
                .orElseThrow(() -> new TooNewException("unknown function of a partition: %s", matcher.group(2)));
        return new PartitionField(Integer.parseInt(matcher.group(1)), transform, matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3)));
    }

    /**
     * Returns the properties with other column ids.
     *
     * @param increase number by which each id increases
     */
    static Map<String, String> withIncreasedIds(Map<String, String> properties, int increase)
    {
        List<PartitionField> fields = of(properties);
        if (fields.isEmpty()) {
            return properties;
        }
        List<PartitionField> increased = fields.stream()
                .map(field -> new PartitionField(field.columnId() + increase, field.transform(), field.parameter()))
                .collect(toImmutableList());
        return ImmutableMap.<String, String>builder()
                .putAll(properties)
                .put(PROPERTY, format(increased))
                .buildKeepingLast();
    }

    /**
     * Returns whether rows are partitioned by a function of a column.
     */
    public static boolean contains(Map<String, String> properties, int columnId)
    {
        return of(properties).stream().anyMatch(field -> field.columnId() == columnId);
    }

    /**
     * Returns whether the values of a row group are those of some functions, in the same order.
     */
    public static boolean match(List<PartitionField> fields, List<PartitionValue> partition)
    {
        if (fields.size() != partition.size()) {
            return false;
        }
        for (int i = 0; i < fields.size(); i++) {
            if (!fields.get(i).describes(partition.get(i))) {
                return false;
            }
        }
        return true;
    }
}
