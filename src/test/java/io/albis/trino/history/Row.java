package io.albis.trino.history;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A row of a table that clients change concurrently.
 *
 * @param id what predicates select by; several rows may have the same
 * @param uid differs between rows that were inserted separately
 * @param writer number of the call that wrote the row last
 */
public record Row(long id, long uid, long writer, long amount)
{
    static final String COLUMNS = "id, uid, writer, amount";

    /**
     * @param values values of the columns as text
     */
    static Row parse(List<String> values)
    {
        return new Row(
                Long.parseLong(values.get(0)),
                Long.parseLong(values.get(1)),
                Long.parseLong(values.get(2)),
                Long.parseLong(values.get(3)));
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
