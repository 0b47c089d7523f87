package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Measurement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Finds the parts of a report in its Markdown.
 */
public final class MarkdownReports
{
    private static final String TITLE = "# ";
    private static final String SECTION = "## ";
    private static final String PROPERTY = "- ";
    private static final String CELL = "|";
    // A bar in a cell has a backslash
    private static final Pattern CELLS = Pattern.compile("(?<!\\\\)\\|");

    private MarkdownReports() {}

    /**
     * Parses a report. The Markdown of the result is the same text.
     *
     * @throws IllegalArgumentException if the text is not a report
     */
    public static SavedReport parse(String markdown, List<Measurement> measurements)
    {
        List<String> lines = markdown.lines().collect(toImmutableList());
        checkArgument(lines.size() > 2 && lines.getFirst().startsWith(TITLE) && lines.get(1).isEmpty(), "not a report: %s", markdown);
        Map<String, String> environment = new LinkedHashMap<>();
        int line = 2;
        while (line < lines.size() && lines.get(line).startsWith(PROPERTY)) {
            int colon = lines.get(line).indexOf(": ");
            checkArgument(colon > 0, "not a property of the environment: %s", lines.get(line));
            environment.put(lines.get(line).substring(PROPERTY.length(), colon), lines.get(line).substring(colon + 2));
            line++;
        }
        int end = endOfSection(lines, line);
        List<String> introduction = lines.subList(line, end);
        ImmutableList.Builder<SavedSection> sections = ImmutableList.builder();
        while (end < lines.size()) {
            int next = endOfSection(lines, end + 1);
            sections.add(new SavedSection(lines.get(end).substring(SECTION.length()), content(lines.subList(end + 1, next))));
            end = next;
        }
        return new SavedReport(lines.getFirst().substring(TITLE.length()), environment, introduction, sections.build(), measurements);
    }

    private static int endOfSection(List<String> lines, int start)
    {
        int end = start;
        while (end < lines.size() && !lines.get(end).startsWith(SECTION)) {
            end++;
        }
        return end;
    }

    private static List<SavedContent> content(List<String> lines)
    {
        ImmutableList.Builder<SavedContent> content = ImmutableList.builder();
        List<String> text = new ArrayList<>();
        int line = 0;
        while (line < lines.size()) {
            if (!lines.get(line).startsWith(CELL)) {
                text.add(lines.get(line));
                line++;
                continue;
            }
            int end = line;
            while (end < lines.size() && lines.get(end).startsWith(CELL)) {
                end++;
            }
            if (!text.isEmpty()) {
                content.add(new SavedLines(text));
                text.clear();
            }
            content.add(table(lines.subList(line, end)));
            line = end;
        }
        if (!text.isEmpty()) {
            content.add(new SavedLines(text));
        }
        return content.build();
    }

    private static SavedTable table(List<String> lines)
    {
        checkArgument(lines.size() >= 2, "a table without a header: %s", lines);
        return new SavedTable(
                cells(lines.getFirst()),
                // The second line separates the header from the rows
                lines.stream()
                        .skip(2)
                        .map(MarkdownReports::cells)
                        .collect(toImmutableList()));
    }

    private static List<String> cells(String line)
    {
        List<String> cells = ImmutableList.copyOf(CELLS.split(line, -1));
        return cells.subList(1, cells.size() - 1).stream()
                .map(cell -> cell.strip().replace("\\|", "|"))
                .collect(toImmutableList());
    }
}
