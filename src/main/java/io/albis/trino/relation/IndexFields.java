package io.albis.trino.relation;

import com.google.common.collect.ImmutableSet;
import io.albis.format.index.ValueListWriter;
import io.albis.table.model.IndexedColumns;
import io.albis.table.model.TableColumn;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.TrinoException;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Locale.ENGLISH;
import static java.util.function.Function.identity;

/**
 * Converts the indexed columns to and from the names in the table property {@code indexed_by}.
 */
public final class IndexFields
{
    private IndexFields() {}

    /**
     * Returns the ids of columns.
     *
     * @param property what contains the names, for error messages
     * @throws TrinoException with the given code if the table does not have a column, or if it cannot have an index
     */
    public static Set<Integer> parse(List<String> names, List<TableColumn> columns, String property, ErrorCodeSupplier errorCode)
    {
        Map<String, TableColumn> byName = columns.stream().collect(toImmutableMap(TableColumn::name, identity()));
        Set<Integer> ids = new LinkedHashSet<>();
        for (String text : names) {
            String name = text.toLowerCase(ENGLISH);
            TableColumn column = byName.get(name);
            if (column == null) {
                throw ColumnNames.missing(errorCode, property, name, columns);
            }
            if (!ValueListWriter.isSupported(column.type())) {
                throw new TrinoException(errorCode, "%s names column '%s', but a column of type %s cannot have an index".formatted(property, name, column.type().getDisplayName()));
            }
            if (!ids.add(column.id())) {
                throw new TrinoException(errorCode, "%s names column '%s' twice".formatted(property, name));
            }
        }
        return ImmutableSet.copyOf(ids);
    }

    /**
     * Returns the names of the indexed columns of a table.
     */
    public static List<String> describe(Map<String, String> properties, List<TableColumn> columns)
    {
        Map<Integer, String> names = columns.stream().collect(toImmutableMap(TableColumn::id, TableColumn::name));
        return IndexedColumns.of(properties).stream()
                .filter(names::containsKey)
                .map(names::get)
                .collect(toImmutableList());
    }
}
