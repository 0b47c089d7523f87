package io.albis.trino.relation;

import com.google.common.collect.ImmutableList;
import io.albis.format.type.NestedTypes;
import io.albis.table.model.SortColumn;
import io.albis.table.model.SortColumns;
import io.albis.table.model.TableColumn;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.TrinoException;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.function.Function.identity;
import static java.util.regex.Pattern.CASE_INSENSITIVE;

/**
 * Converts the columns by which rows are sorted to and from the texts of the table property {@code sorted_by}, which
 * are those of the Iceberg connector.
 */
public final class SortFields
{
    private static final Pattern FIELD = Pattern.compile("\\s*" + ColumnNames.PATTERN + "(?:\\s+(ASC|DESC))?(?:\\s+NULLS\\s+(FIRST|LAST))?\\s*", CASE_INSENSITIVE);

    private SortFields() {}

    /**
     * Parses texts such as {@code name DESC NULLS LAST}. The default is ascending. Without {@code NULLS}, nulls come
     * first in ascending order and last in descending order.
     *
     * @throws TrinoException with the given code if a text is not valid, or names a column that the table does not have
     *         or that has no order
     */
    public static List<SortColumn> parse(List<String> fields, List<TableColumn> columns, ErrorCodeSupplier errorCode)
    {
        Map<String, TableColumn> byName = columns.stream().collect(toImmutableMap(TableColumn::name, identity()));
        Set<Integer> ids = new HashSet<>();
        ImmutableList.Builder<SortColumn> result = ImmutableList.builder();
        for (String field : fields) {
            Matcher matcher = FIELD.matcher(field);
            if (!matcher.matches()) {
                throw new TrinoException(errorCode, "sorted_by contains '%s', which must have the form <column> [ASC | DESC] [NULLS FIRST | NULLS LAST]".formatted(field));
            }
            String name = ColumnNames.parse(matcher, 1);
            TableColumn column = byName.get(name);
            if (column == null) {
                throw ColumnNames.missing(errorCode, "sorted_by", name, columns);
            }
            // Nested columns have no bounds, so sorting by them would help no query
            if (!column.type().isOrderable() || NestedTypes.isNested(column.type())) {
                throw new TrinoException(errorCode, "sorted_by names column '%s', but rows cannot be sorted by its type %s".formatted(name, column.type().getDisplayName()));
            }
            if (!ids.add(column.id())) {
                throw new TrinoException(errorCode, "sorted_by names column '%s' twice".formatted(name));
            }
            boolean ascending = !"DESC".equalsIgnoreCase(matcher.group(3));
            boolean nullsFirst = matcher.group(4) == null ? ascending : matcher.group(4).equalsIgnoreCase("FIRST");
            result.add(new SortColumn(column.id(), ascending, nullsFirst));
        }
        return result.build();
    }

    /**
     * Returns the texts for the properties of a table; empty if rows are not sorted.
     */
    public static List<String> describe(Map<String, String> properties, List<TableColumn> columns)
    {
        return describe(SortColumns.of(properties, columns), columns);
    }

    /**
     * Returns the texts for an order.
     */
    public static List<String> describe(List<SortColumn> order, List<TableColumn> columns)
    {
        Map<Integer, String> names = columns.stream().collect(toImmutableMap(TableColumn::id, TableColumn::name));
        return order.stream()
                .map(column -> ColumnNames.quoted(names.get(column.columnId())) + " " + column.order())
                .collect(toImmutableList());
    }
}
