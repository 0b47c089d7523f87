package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Collections.nCopies;

/**
 * A Markdown table. The first column contains names, and the other columns contain figures.
 */
public class MarkdownTable
{
    private final List<String> header;
    private final ImmutableList.Builder<List<String>> rows = ImmutableList.builder();

    public MarkdownTable(List<String> header)
    {
        this.header = ImmutableList.copyOf(header);
    }

    public void add(List<String> row)
    {
        checkArgument(row.size() == header.size(), "%s cells in a table with %s columns", row.size(), header.size());
        rows.add(ImmutableList.copyOf(row));
    }

    public String render()
    {
        StringBuilder text = new StringBuilder();
        line(text, header);
        line(text, ImmutableList.<String>builder()
                .add("---")
                .addAll(nCopies(header.size() - 1, "---:"))
                .build());
        rows.build().forEach(row -> line(text, row));
        return text.toString();
    }

    private static void line(StringBuilder text, List<String> cells)
    {
        cells.forEach(cell -> text.append("| ").append(cell.replace("|", "\\|")).append(' '));
        text.append("|\n");
    }
}
