package io.albis.benchmarks.page;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.SavedReport;
import io.albis.benchmarks.report.SavedTable;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Says where a table of a page comes from. The first line is {@code REPORT / SECTION}. Without further lines, the table
 * is that of the section. Otherwise, each line is a column as in {@link ColumnRule}, or {@code rows = PATTERN, ...} to
 * select some of the rows. A star in a pattern stands for the name of the row on the page.
 */
record TableRule(String report, String section, List<String> rows, List<ColumnRule> columns)
{
    private static final String ROWS = "rows = ";
    private static final String ROW_NAME = "*";
    private static final String NOT_MEASURED = "Not measured yet.\n";

    TableRule
    {
        requireNonNull(report, "report is null");
        requireNonNull(section, "section is null");
        rows = ImmutableList.copyOf(rows);
        columns = ImmutableList.copyOf(columns);
    }

    static TableRule parse(String text)
    {
        List<String> lines = Splitter.on('\n').trimResults().omitEmptyStrings().splitToList(text);
        List<String> source = Splitter.on(" / ").limit(2).splitToList(lines.getFirst());
        checkArgument(source.size() == 2, "not a table such as 'REPORT / SECTION': %s", lines.getFirst());
        return new TableRule(
                source.getFirst(),
                source.getLast(),
                lines.stream()
                        .skip(1)
                        .filter(line -> line.startsWith(ROWS))
                        .flatMap(line -> Splitter.on(", ").splitToStream(line.substring(ROWS.length())))
                        .collect(toImmutableList()),
                lines.stream()
                        .skip(1)
                        .filter(line -> !line.startsWith(ROWS))
                        .map(ColumnRule::parse)
                        .collect(toImmutableList()));
    }

    /**
     * Renders the table.
     *
     * @return the lines of the table, or a line that says that there is no report yet
     */
    String render(ResultFolder results)
    {
        Optional<SavedReport> saved = results.report(report);
        if (saved.isEmpty()) {
            return NOT_MEASURED;
        }
        SavedTable table = saved.get().section(section).table()
                .orElseThrow(() -> new IllegalArgumentException("%s has no table in section '%s'".formatted(report, section)));
        if (columns.isEmpty() && rows.isEmpty()) {
            return table.markdown();
        }
        Cells cells = new Cells(report, table);
        List<ColumnRule> rules = columns.isEmpty() ? copies(table) : columns;
        MarkdownTable rendered = new MarkdownTable(rules.stream()
                .map(ColumnRule::header)
                .collect(toImmutableList()));
        for (String name : names(table)) {
            rendered.add(rules.stream()
                    .map(rule -> rule.cell(cells, name))
                    .collect(toImmutableList()));
        }
        return rendered.render();
    }

    private static List<ColumnRule> copies(SavedTable table)
    {
        return table.columns().stream()
                .map(column -> new ColumnRule(column, column, ROW_NAME, ColumnRule.Kind.COPY, ""))
                .collect(toImmutableList());
    }

    private List<String> names(SavedTable table)
    {
        List<String> all = table.rows().stream()
                .map(List::getFirst)
                .collect(toImmutableList());
        if (rows.isEmpty()) {
            return all;
        }
        return rows.stream()
                .flatMap(pattern -> all.stream().flatMap(row -> match(pattern, row).stream()))
                .collect(toImmutableList());
    }

    /**
     * Returns the part of the row that the star of the pattern stands for, or the row if the pattern has no star.
     */
    private static Optional<String> match(String pattern, String row)
    {
        int star = pattern.indexOf(ROW_NAME);
        if (star < 0) {
            return pattern.equals(row) ? Optional.of(row) : Optional.empty();
        }
        String before = pattern.substring(0, star);
        String after = pattern.substring(star + 1);
        return row.length() > before.length() + after.length() && row.startsWith(before) && row.endsWith(after) ?
                Optional.of(row.substring(before.length(), row.length() - after.length())) :
                Optional.empty();
    }
}
