package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * A table of a saved report. Its cells are the figures as the report shows them.
 */
public record SavedTable(List<String> columns, List<List<String>> rows)
        implements SavedContent
{
    public SavedTable
    {
        columns = ImmutableList.copyOf(columns);
        rows = rows.stream()
                .<List<String>>map(ImmutableList::copyOf)
                .collect(toImmutableList());
        for (List<String> row : rows) {
            checkArgument(row.size() == columns.size(), "%s cells in a table with %s columns", row.size(), columns.size());
        }
    }

    /**
     * Returns the rows as maps from the column to the cell.
     */
    public List<Map<String, String>> cells()
    {
        return rows.stream()
                .map(this::cells)
                .collect(toImmutableList());
    }

    private Map<String, String> cells(List<String> row)
    {
        ImmutableMap.Builder<String, String> cells = ImmutableMap.builder();
        for (int column = 0; column < columns.size(); column++) {
            cells.put(columns.get(column), row.get(column));
        }
        return cells.buildOrThrow();
    }

    @Override
    public String markdown()
    {
        MarkdownTable table = new MarkdownTable(columns);
        rows.forEach(table::add);
        return table.render();
    }
}
