package io.albis.benchmarks.chart;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * A report in Markdown that a benchmark wrote. Charts show only data from such files.
 */
public record WrittenReport(String name, List<String> lines)
{
    private static final Splitter CELLS = Splitter.on('|').trimResults();

    public WrittenReport
    {
        lines = ImmutableList.copyOf(lines);
    }

    public static WrittenReport read(Path file)
            throws IOException
    {
        return new WrittenReport(file.getFileName().toString(), Files.readAllLines(file));
    }

    public String title()
    {
        return lines.getFirst().substring("# ".length());
    }

    /**
     * Returns a property of the environment, such as {@code machine}.
     */
    public String environment(String key)
    {
        String prefix = "- " + key + ": ";
        return lines.stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("%s does not state its %s".formatted(name, key)));
    }

    /**
     * Returns the number between two texts on the same line.
     */
    public long number(String before, String after)
    {
        for (String line : lines) {
            int start = line.indexOf(before);
            int end = start < 0 ? -1 : line.indexOf(after, start + before.length());
            if (end >= 0) {
                return Long.parseLong(line.substring(start + before.length(), end).replace(",", ""));
            }
        }
        throw new IllegalArgumentException("%s has no line with '%s...%s'".formatted(name, before, after));
    }

    /**
     * Returns the rows of the table below a heading. Each row maps column headers to cells.
     */
    public List<Map<String, String>> table(String heading)
    {
        int start = lines.indexOf("## " + heading);
        if (start < 0) {
            throw new IllegalArgumentException("%s has no section '%s'".formatted(name, heading));
        }
        List<List<String>> table = lines.subList(start + 1, lines.size()).stream()
                .dropWhile(line -> !line.startsWith("|") && !line.startsWith("## "))
                .takeWhile(line -> line.startsWith("|"))
                .map(WrittenReport::cells)
                .collect(toImmutableList());
        if (table.size() < 3) {
            throw new IllegalArgumentException("%s has no table in section '%s'".formatted(name, heading));
        }
        // The second line separates the header from the rows
        return table.subList(2, table.size()).stream()
                .map(row -> row(table.getFirst(), row))
                .collect(toImmutableList());
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

    private static List<String> cells(String line)
    {
        List<String> cells = CELLS.splitToList(line);
        return cells.subList(1, cells.size() - 1);
    }

    private static Map<String, String> row(List<String> header, List<String> cells)
    {
        ImmutableMap.Builder<String, String> row = ImmutableMap.builder();
        for (int column = 0; column < header.size(); column++) {
            row.put(header.get(column), cells.get(column));
        }
        return row.buildOrThrow();
    }
}
