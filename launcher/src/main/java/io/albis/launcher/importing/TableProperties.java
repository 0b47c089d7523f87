package io.albis.launcher.importing;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.trino.sql.tree.Array;
import io.trino.sql.tree.ColumnDefinition;
import io.trino.sql.tree.CreateTable;
import io.trino.sql.tree.DataType;
import io.trino.sql.tree.DateTimeDataType;
import io.trino.sql.tree.Expression;
import io.trino.sql.tree.GenericDataType;
import io.trino.sql.tree.LongLiteral;
import io.trino.sql.tree.Property;
import io.trino.sql.tree.StringLiteral;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.albis.launcher.importing.SqlNames.NO_TEXT;
import static io.albis.launcher.importing.SqlNames.columnInProperty;
import static io.trino.sql.ExpressionFormatter.formatExpression;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNullElseGet;
import static java.util.regex.Pattern.CASE_INSENSITIVE;
import static java.util.stream.Collectors.joining;

/**
 * Maps the order and the partitions of a table of Iceberg, Hive, or Delta Lake to the properties of an Albis table.
 */
final class TableProperties
{
    private static final String SORTED_BY = "sorted_by";
    private static final String PARTITIONED_BY = "partitioned_by";
    private static final String PARTITIONING = "partitioning";
    private static final String BUCKETED_BY = "bucketed_by";
    private static final String BUCKET_COUNT = "bucket_count";

    private static final String NAME = "(?:(\\w+)|\"((?:[^\"]|\"\")++)\")";
    private static final Pattern QUOTED_OR_PLAIN = Pattern.compile(NAME);
    private static final Pattern FUNCTION = Pattern.compile("(\\w+)\\s*\\(\\s*(" + NAME + ")\\s*(?:,\\s*\\d+\\s*)?\\)");
    private static final Pattern SORT_COLUMN = Pattern.compile("(.+?)((?:\\s+(?:ASC|DESC))?(?:\\s+NULLS\\s+(?:FIRST|LAST))?)", CASE_INSENSITIVE);
    private static final Set<String> FUNCTIONS = ImmutableSet.of("year", "month", "day", "hour", "bucket", "truncate");
    private static final Set<String> TYPES_WITHOUT_BUCKETS = ImmutableSet.of("boolean", "real", "double", "json", "array", "map");

    private final Map<String, Expression> source;
    private final Map<String, DataType> columns;
    private final Map<String, Expression> properties = new LinkedHashMap<>();
    private final ImmutableList.Builder<String> missing = ImmutableList.builder();

    private TableProperties(CreateTable table)
    {
        source = new LinkedHashMap<>(table.getProperties().stream()
                .filter(property -> !property.isSetToDefault())
                .collect(toImmutableMap(property -> property.getName().getValue(), Property::getNonDefaultValue)));
        columns = table.getElements().stream()
                .map(ColumnDefinition.class::cast)
                .collect(toImmutableMap(column -> column.getName().getSuffix(), ColumnDefinition::getType));
    }

    /**
     * The properties of the imported table.
     *
     * @param properties values by name
     * @param missing descriptions of what an Albis table cannot have
     */
    record Mapped(Map<String, Expression> properties, List<String> missing)
    {
        Mapped
        {
            properties = ImmutableMap.copyOf(properties);
            missing = ImmutableList.copyOf(missing);
        }
    }

    /**
     * @param table what SHOW CREATE TABLE returns
     */
    static Mapped map(CreateTable table)
    {
        return new TableProperties(table).map();
    }

    private Mapped map()
    {
        List<String> partitions = new ArrayList<>();
        for (String name : ImmutableList.of(PARTITIONING, PARTITIONED_BY)) {
            for (String element : takeTexts(name)) {
                partition(element).ifPresentOrElse(partitions::add, () -> missing.add("%s '%s'".formatted(name, element)));
            }
        }
        buckets().ifPresent(partitions::add);
        List<String> order = new ArrayList<>();
        for (String element : takeTexts(SORTED_BY)) {
            sortColumn(element).ifPresentOrElse(order::add, () -> missing.add("%s '%s'".formatted(SORTED_BY, element)));
        }
        put(PARTITIONED_BY, partitions);
        put(SORTED_BY, order);
        if (!source.isEmpty()) {
            missing.add(source.entrySet().stream()
                    .map(property -> property.getKey() + " = " + formatExpression(property.getValue()))
                    .collect(joining(", ")));
        }
        return new Mapped(properties, missing.build());
    }

    private void put(String name, List<String> texts)
    {
        if (!texts.isEmpty()) {
            properties.put(name, new Array(NO_TEXT, texts.stream()
                    .map(SqlNames::literal)
                    .collect(toImmutableList())));
        }
    }

    /**
     * Removes an array of texts from the properties of the source.
     */
    private List<String> takeTexts(String name)
    {
        if (!(source.get(name) instanceof Array array) || !array.getValues().stream().allMatch(StringLiteral.class::isInstance)) {
            return ImmutableList.of();
        }
        source.remove(name);
        return array.getValues().stream()
                .map(value -> ((StringLiteral) value).getValue())
                .collect(toImmutableList());
    }

    /**
     * Returns an element of partitioned_by. Iceberg writes a column as SQL does, and Hive writes its bare name.
     */
    private Optional<String> partition(String text)
    {
        Optional<String> column = column(text);
        if (column.isPresent()) {
            return column;
        }
        Matcher function = FUNCTION.matcher(text);
        if (function.matches() && FUNCTIONS.contains(function.group(1).toLowerCase(ENGLISH)) && column(function.group(2)).isPresent()) {
            return Optional.of(text);
        }
        return Optional.empty();
    }

    private Optional<String> sortColumn(String text)
    {
        Optional<String> column = column(text);
        if (column.isPresent()) {
            return column;
        }
        Matcher matcher = SORT_COLUMN.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        return column(matcher.group(1)).map(name -> name + matcher.group(2));
    }

    /**
     * Returns a column as a property of Albis writes it; empty if the table has no such column, as for a field of a
     * row.
     */
    private Optional<String> column(String text)
    {
        if (columns.containsKey(text)) {
            return Optional.of(columnInProperty(text));
        }
        Matcher matcher = QUOTED_OR_PLAIN.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String name = requireNonNullElseGet(matcher.group(1), () -> matcher.group(2).replace("\"\"", "\"")).toLowerCase(ENGLISH);
        return columns.containsKey(name) ? Optional.of(columnInProperty(name)) : Optional.empty();
    }

    /**
     * Returns the function for the buckets of a Hive table. Hive hashes several columns to one bucket, and Albis only
     * one column.
     */
    private Optional<String> buckets()
    {
        if (!(source.get(BUCKETED_BY) instanceof Array array) || array.getValues().size() != 1 || !(source.get(BUCKET_COUNT) instanceof LongLiteral count)) {
            return Optional.empty();
        }
        if (!(array.getValues().getFirst() instanceof StringLiteral name) || !columns.containsKey(name.getValue()) || !hasBuckets(columns.get(name.getValue()))) {
            return Optional.empty();
        }
        source.remove(BUCKETED_BY);
        source.remove(BUCKET_COUNT);
        return Optional.of("bucket(%s, %s)".formatted(columnInProperty(name.getValue()), count.getParsedValue()));
    }

    private static boolean hasBuckets(DataType type)
    {
        return switch (type) {
            case GenericDataType generic -> !TYPES_WITHOUT_BUCKETS.contains(generic.getName().getValue().toLowerCase(ENGLISH));
            case DateTimeDataType _ -> true;
            default -> false;
        };
    }
}
