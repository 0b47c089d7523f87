package io.albis.benchmarks.result;

import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Compares the part of a result that the query determines. A query with ORDER BY and LIMIT may return any of the rows
 * that are equal in its order to the last one. Of these rows, only their number and the columns of the order are
 * determined. Without ORDER BY, only the number of rows is. An OFFSET does the same to the first rows.
 */
final class DeterminedRows
{
    private final ResultOrder order;

    public DeterminedRows(String sql)
    {
        order = ResultOrder.parse(requireNonNull(sql, "sql is null"));
    }

    /**
     * Compares two results.
     *
     * @param expectedName name of the first result, such as that of its catalog
     * @return description of the difference, or empty if there is none
     */
    public Optional<String> difference(String expectedName, MaterializedResult expected, String actualName, MaterializedResult actual)
    {
        int rows = expected.getRowCount();
        if (rows != actual.getRowCount()) {
            return Optional.of("%s rows in %s; %s rows in %s".formatted(rows, expectedName, actual.getRowCount(), actualName));
        }
        if (rows == 0) {
            return Optional.empty();
        }
        if (!order.offset() && !order.isCutAtEnd(rows)) {
            return RowsDifference.find(compared(expected.getMaterializedRows()), compared(actual.getMaterializedRows()))
                    .map(difference -> difference.describe(expectedName, actualName));
        }
        List<Integer> columns = order.sortColumns(expected.getColumnNames());
        return RowsDifference.find(keys(expected, columns), keys(actual, columns))
                .or(() -> RowsDifference.find(withoutTies(expected, columns), withoutTies(actual, columns)))
                .map(difference -> difference.describe(expectedName, actualName));
    }

    private static List<ComparedRow> compared(List<MaterializedRow> rows)
    {
        return rows.stream()
                .map(row -> ComparedRow.of(row.getFields()))
                .collect(toImmutableList());
    }

    private static List<ComparedRow> keys(MaterializedResult result, List<Integer> columns)
    {
        return result.getMaterializedRows().stream()
                .map(row -> key(row, columns))
                .collect(toImmutableList());
    }

    private static ComparedRow key(MaterializedRow row, List<Integer> columns)
    {
        List<Object> fields = row.getFields();
        // The values may be null
        return ComparedRow.of(columns.stream().map(fields::get).toList());
    }

    /**
     * Returns the rows that are not equal in the order to a row at a side at which others may be missing.
     */
    private List<ComparedRow> withoutTies(MaterializedResult result, List<Integer> columns)
    {
        List<MaterializedRow> rows = result.getMaterializedRows();
        Optional<ComparedRow> first = Optional.of(key(rows.getFirst(), columns)).filter(_ -> order.offset());
        Optional<ComparedRow> last = Optional.of(key(rows.getLast(), columns)).filter(_ -> order.isCutAtEnd(rows.size()));
        return compared(rows.stream()
                .filter(row -> {
                    ComparedRow key = key(row, columns);
                    return first.filter(key::isLike).isEmpty() && last.filter(key::isLike).isEmpty();
                })
                .collect(toImmutableList()));
    }
}
