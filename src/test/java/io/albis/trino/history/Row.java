package io.albis.trino.history;

import com.google.common.collect.ImmutableMap;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A row of a table that clients change concurrently.
 *
 * @param id what predicates select by; several rows may have the same
 * @param uid differs between rows that were inserted separately
 * @param writer number of the call that wrote the row last
 * @param added values of the columns that were added to the table, without nulls
 */
public record Row(long id, long uid, long writer, long amount, Map<String, Long> added)
{
    static final String COLUMNS = "id, uid, writer, amount";
    static final int COLUMN_COUNT = 4;

    public Row
    {
        added = added == null ? ImmutableMap.of() : ImmutableMap.copyOf(added);
    }

    public Row(long id, long uid, long writer, long amount)
    {
        this(id, uid, writer, amount, ImmutableMap.of());
    }

    static Row parse(List<String> values)
    {
        return parse(values, List.of());
    }

    /**
     * @param values values of the columns as text
     * @param addedColumns names of the columns after the first four
     */
    static Row parse(List<String> values, List<String> addedColumns)
    {
        ImmutableMap.Builder<String, Long> added = ImmutableMap.builder();
        for (int column = 0; column < addedColumns.size(); column++) {
            String value = values.get(COLUMN_COUNT + column);
            if (value != null) {
                added.put(addedColumns.get(column), Long.parseLong(value));
            }
        }
        return new Row(
                Long.parseLong(values.get(0)),
                Long.parseLong(values.get(1)),
                Long.parseLong(values.get(2)),
                Long.parseLong(values.get(3)),
                added.buildOrThrow());
    }

    /**
     * Returns the row with other values of the columns that were added to the table.
     */
    Row withAdded(Map<String, Long> added)
    {
        return new Row(id, uid, writer, amount, added);
    }

    /**
     * Returns the row with other names of the columns that were added to the table.
     *
     * @param rename new name of a column, or null if the table does not have it any more
     */
    Row renameAdded(Function<String, String> rename)
    {
        if (added.isEmpty()) {
            return this;
        }
        ImmutableMap.Builder<String, Long> renamed = ImmutableMap.builder();
        added.forEach((column, value) -> {
            String name = rename.apply(column);
            if (name != null) {
                renamed.put(name, value);
            }
        });
        return withAdded(renamed.buildOrThrow());
    }

    List<String> values()
    {
        return List.of(String.valueOf(id), String.valueOf(uid), String.valueOf(writer), String.valueOf(amount));
    }

    static String toSql(List<Row> rows)
    {
        return rows.stream()
                .map(row -> "(BIGINT '%s', BIGINT '%s', BIGINT '%s', BIGINT '%s')".formatted(row.id, row.uid, row.writer, row.amount))
                .collect(Collectors.joining(", ", "VALUES ", ""));
    }
}
