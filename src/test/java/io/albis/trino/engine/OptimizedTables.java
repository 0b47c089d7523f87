package io.albis.trino.engine;

import com.google.common.collect.ImmutableList;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchTable;

import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.stream.Collectors.joining;

/**
 * Properties of TPC-H tables that make the connector take part in as much of a query as possible: all columns but one
 * have an index, the rows of each of several row groups are sorted by another column than the key, and the first column
 * has buckets. The row groups are so small that readers search their indexes only with other thresholds than the
 * defaults.
 */
final class OptimizedTables
{
    private static final Set<String> WITHOUT_INDEX = Set.of("comment");

    private OptimizedTables() {}

    /**
     * Returns the properties of a table, as in the WITH clause.
     */
    static String properties(TpchTable<?> table)
    {
        List<String> columns = table.getColumns().stream()
                .map(TpchColumn::getSimplifiedColumnName)
                .collect(toImmutableList());
        List<String> indexed = columns.stream()
                .filter(column -> !WITHOUT_INDEX.contains(column))
                .collect(toImmutableList());
        return "indexed_by = %s, sorted_by = %s, partitioned_by = %s, row_group_rows = 5000".formatted(
                array(indexed),
                array(ImmutableList.of(columns.get(2) + " DESC", columns.get(1))),
                array(ImmutableList.of("bucket(%s, 4)".formatted(columns.getFirst()))));
    }

    private static String array(List<String> elements)
    {
        return elements.stream()
                .map("'%s'"::formatted)
                .collect(joining(", ", "ARRAY[", "]"));
    }
}
