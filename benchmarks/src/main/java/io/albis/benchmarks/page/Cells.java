package io.albis.benchmarks.page;

import com.google.common.base.Splitter;
import io.albis.benchmarks.report.SavedTable;

import java.util.List;
import java.util.Locale;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Finds the cells of a table by the text of the first column and by the header.
 */
record Cells(String report, SavedTable table)
{
    private static final Splitter WORDS = Splitter.on(' ');

    /**
     * Returns a cell.
     *
     * @throws IllegalArgumentException if the table has no such row or column
     */
    public String get(String row, String column)
    {
        int index = table.columns().indexOf(column);
        if (index < 0) {
            throw new IllegalArgumentException("%s has no column '%s', but %s".formatted(report, column, table.columns()));
        }
        return table.rows().stream()
                .filter(cells -> cells.getFirst().equals(row))
                .map(cells -> cells.get(index))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("%s has no row '%s', but %s".formatted(report, row, table.rows().stream().map(List::getFirst).collect(toImmutableList()))));
    }

    public double number(String row, String column)
    {
        return number(get(row, column));
    }

    /**
     * Returns the first number of a cell, such as 1,337.5 or 1.52 [1.40, 1.52] hive.
     */
    static double number(String cell)
    {
        return Double.parseDouble(WORDS.split(cell).iterator().next().replace(",", ""));
    }

    static String format(double number, int decimals)
    {
        return String.format(Locale.ROOT, "%,." + decimals + "f", number);
    }
}
