package io.albis.trino.relation;

import com.google.common.collect.ImmutableList;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.PartitionTransform;
import io.albis.table.model.PartitionTypes;
import io.albis.table.model.TableColumn;
import io.trino.spi.TrinoException;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.albis.table.model.PartitionTransform.IDENTITY;
import static io.albis.trino.relation.ColumnNames.quoted;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static java.util.Arrays.stream;
import static java.util.Locale.ENGLISH;
import static java.util.function.Function.identity;
import static java.util.stream.Collectors.joining;

/**
 * Converts the functions by which rows are partitioned to and from the texts of the table property {@code
 * partitioned_by}, which are those of the property {@code partitioning} of the Iceberg connector.
 */
public final class PartitionTexts
{
    private static final Pattern COLUMN = Pattern.compile("\\s*" + ColumnNames.PATTERN + "\\s*");
    private static final Pattern FUNCTION = Pattern.compile("\\s*(\\w+)\\s*\\(\\s*" + ColumnNames.PATTERN + "\\s*(?:,\\s*(\\d+)\\s*)?\\)\\s*");
    private static final String FORMS = "<column>, year(<column>), month(<column>), day(<column>), hour(<column>), bucket(<column>, <number of buckets>), or truncate(<column>, <width>)";

    private PartitionTexts() {}

    /**
     * Parses texts such as {@code bucket(id, 16)}.
     *
     * @throws TrinoException with code INVALID_TABLE_PROPERTY if a text is not valid, or names a column that the table
     *         does not have or to which the function does not apply
     */
    public static List<PartitionField> parse(List<String> texts, List<TableColumn> columns)
    {
        Map<String, TableColumn> byName = columns.stream().collect(toImmutableMap(TableColumn::name, identity()));
        ImmutableList.Builder<PartitionField> fields = ImmutableList.builder();
        for (String text : texts) {
            PartitionField field = parse(text, byName);
            TableColumn column = columns.stream()
                    .filter(candidate -> candidate.id() == field.columnId())
                    .findFirst()
                    .orElseThrow();
            if (!PartitionTypes.isSupported(field.transform(), column.type())) {
                throw invalid("partitioned_by contains '%s', but column '%s' has type %s. %s", text, column.name(), column.type().getDisplayName(), applicable(column));
            }
            fields.add(field);
        }
        List<PartitionField> result = fields.build();
        checkNames(result, names(columns));
        return result;
    }

    /**
     * Checks that the functions have different names if a column gets a new name.
     *
     * @throws TrinoException with code INVALID_TABLE_PROPERTY if two functions would have the same name
     */
    public static void checkRename(Map<String, String> properties, List<TableColumn> columns, int columnId, String newName)
    {
        Map<Integer, String> names = new HashMap<>(names(columns));
        names.put(columnId, newName);
        checkNames(PartitionFields.of(properties), names);
    }

    private static void checkNames(List<PartitionField> fields, Map<Integer, String> columnNames)
    {
        Map<String, PartitionField> byName = new HashMap<>();
        for (PartitionField field : fields) {
            String column = columnNames.get(field.columnId());
            String name = fieldName(field, column);
            PartitionField other = byName.putIfAbsent(name, field);
            if (other != null && other.columnId() == field.columnId() && other.transform() == field.transform()) {
                throw invalid("partitioned_by contains the function %s of column '%s' twice", field.transform().label(), column);
            }
            if (other != null) {
                throw invalid("partitioned_by contains '%s' and '%s', and both have the name '%s' in \"$partitions\"", describe(other, quoted(columnNames.get(other.columnId()))), describe(field, quoted(column)), name);
            }
        }
    }

    private static Map<Integer, String> names(List<TableColumn> columns)
    {
        return columns.stream().collect(toImmutableMap(TableColumn::id, TableColumn::name));
    }

    private static PartitionField parse(String text, Map<String, TableColumn> columns)
    {
        Matcher column = COLUMN.matcher(text);
        if (column.matches()) {
            return new PartitionField(find(ColumnNames.parse(column, 1), columns).id(), IDENTITY, 0);
        }
        Matcher function = FUNCTION.matcher(text);
        if (!function.matches()) {
            throw invalid("partitioned_by contains '%s'. Each element must be %s", text, FORMS);
        }
        PartitionTransform transform = PartitionTransform.find(function.group(1).toLowerCase(ENGLISH))
                .filter(found -> found != IDENTITY)
                .orElseThrow(() -> invalid("partitioned_by contains '%s', which has an unknown function. Each element must be %s", text, FORMS));
        int columnId = find(ColumnNames.parse(function, 2), columns).id();
        if (transform.isParameterized() != (function.group(4) != null)) {
            throw invalid("partitioned_by contains '%s', which has %s. Each element must be %s", text, transform.isParameterized() ? "no number" : "a number", FORMS);
        }
        return new PartitionField(columnId, transform, transform.isParameterized() ? parameter(text, function.group(4)) : 0);
    }

    private static int parameter(String text, String digits)
    {
        try {
            int parameter = Integer.parseInt(digits);
            if (parameter > 0) {
                return parameter;
            }
        }
        catch (NumberFormatException _) {
            // the number is too large
        }
        throw invalid("partitioned_by contains '%s', whose number must be between 1 and %s", text, Integer.MAX_VALUE);
    }

    private static TableColumn find(String name, Map<String, TableColumn> columns)
    {
        TableColumn column = columns.get(name);
        if (column == null) {
            throw ColumnNames.missing(INVALID_TABLE_PROPERTY, "partitioned_by", name, columns.values());
        }
        return column;
    }

    private static String applicable(TableColumn column)
    {
        String functions = stream(PartitionTransform.values())
                .filter(transform -> PartitionTypes.isSupported(transform, column.type()))
                .map(transform -> transform == IDENTITY ? "the column itself" : transform.label())
                .collect(joining(", "));
        return functions.isEmpty() ? "Rows cannot be partitioned by a column of this type" : "The functions of this type are: " + functions;
    }

    private static TrinoException invalid(String format, Object... arguments)
    {
        return new TrinoException(INVALID_TABLE_PROPERTY, format.formatted(arguments));
    }

    /**
     * Returns the texts for the properties of a table; empty if rows are not partitioned.
     */
    public static List<String> describe(Map<String, String> properties, List<TableColumn> columns)
    {
        Map<Integer, String> names = names(columns);
        return PartitionFields.of(properties).stream()
                .map(field -> describe(field, quoted(names.get(field.columnId()))))
                .collect(toImmutableList());
    }

    private static String describe(PartitionField field, String name)
    {
        if (field.transform() == IDENTITY) {
            return name;
        }
        return field.transform().label() + "(" + name + (field.transform().isParameterized() ? ", " + field.parameter() : "") + ")";
    }

    /**
     * Returns the name of the values of a function, which is that of Iceberg.
     */
    public static String fieldName(PartitionField field, String column)
    {
        return switch (field.transform()) {
            case IDENTITY -> column;
            case YEAR, MONTH, DAY, HOUR, BUCKET -> column + "_" + field.transform().label();
            case TRUNCATE -> column + "_trunc";
        };
    }
}
