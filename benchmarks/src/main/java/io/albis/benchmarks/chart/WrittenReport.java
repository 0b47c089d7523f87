package io.albis.benchmarks.chart;

import com.google.common.base.Splitter;
import io.albis.benchmarks.report.SavedReport;
import io.albis.benchmarks.report.SavedTable;

import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * A saved report that charts show the figures of.
 *
 * @param name name of the report, without the extension of its file
 */
public record WrittenReport(String name, SavedReport report)
{
    public WrittenReport
    {
        requireNonNull(name, "name is null");
        requireNonNull(report, "report is null");
    }

    public String title()
    {
        return report.title();
    }

    /**
     * Returns a property of the environment, such as {@code machine}.
     */
    public String environment(String key)
    {
        String value = report.environment().get(key);
        if (value == null) {
            throw new IllegalArgumentException("%s does not state its %s".formatted(name, key));
        }
        return value;
    }

    /**
     * Returns the number between two texts on the same line of the introduction.
     */
    public long number(String before, String after)
    {
        for (String line : report.introduction()) {
            int start = line.indexOf(before);
            int end = start < 0 ? -1 : line.indexOf(after, start + before.length());
            if (end >= 0) {
                return Long.parseLong(line.substring(start + before.length(), end).replace(",", ""));
            }
        }
        throw new IllegalArgumentException("%s has no line with '%s...%s'".formatted(name, before, after));
    }

    /**
     * Returns the rows of the table of a section. Each row maps column headers to cells.
     */
    public List<Map<String, String>> table(String section)
    {
        return report.section(section).table()
                .map(SavedTable::cells)
                .orElseThrow(() -> new IllegalArgumentException("%s has no table in section '%s'".formatted(name, section)));
    }

    /**
     * Parses a figure, such as {@code 3,370.230} or {@code 1.52 [1.40, 1.52] hive}.
     */
    public static double figure(Map<String, String> row, String column)
    {
        String cell = row.get(column);
        if (cell == null) {
            throw new IllegalArgumentException("There is no column '%s', but %s".formatted(column, row.keySet()));
        }
        return Double.parseDouble(Splitter.on(' ').split(cell).iterator().next().replace(",", ""));
    }
}
