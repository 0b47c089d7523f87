package io.albis.trino.relation;

import com.google.common.collect.ImmutableSet;
import io.albis.format.index.ValueListWriter;
import io.albis.table.model.IndexedColumns;
import io.albis.table.model.TableColumn;
import io.trino.spi.TrinoException;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static java.util.Locale.ENGLISH;
import static java.util.function.Function.identity;
import static java.util.stream.Collectors.joining;

/**
 * Converts the indexed columns to and from the names in the table property {@code indexed_by}.
 */
public final class IndexFields
{
    private IndexFields() {}

    /**
     * Returns the ids of columns.
     *
     * @throws TrinoException with code INVALID_TABLE_PROPERTY if the table does not have a column, or if it cannot have
     *         an index
     */
    static Set<Integer> parse(List<String> names, List<TableColumn> columns)
    {
        Map<String, TableColumn> byName = columns.stream().collect(toImmutableMap(TableColumn::name, identity()));
        Set<Integer> ids = new LinkedHashSet<>();
        for (String text : names) {
            String name = text.toLowerCase(ENGLISH);
            TableColumn column = byName.get(name);
            if (column == null) {
                throw new TrinoException(INVALID_TABLE_PROPERTY, "indexed_by names column '%s', which the table does not have; its columns are: %s".formatted(
                        name,
                        columns.stream().map(TableColumn::name).collect(joining(", "))));
            }
            if (!ValueListWriter.isSupported(column.type())) {
                throw new TrinoException(INVALID_TABLE_PROPERTY, "indexed_by names column '%s', but a column of type %s cannot have an index".formatted(name, column.type().getDisplayName()));
            }
            if (!ids.add(column.id())) {
                throw new TrinoException(INVALID_TABLE_PROPERTY, "indexed_by names column '%s' twice".formatted(name));
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
