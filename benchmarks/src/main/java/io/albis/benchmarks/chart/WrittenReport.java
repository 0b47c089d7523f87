package io.albis.benchmarks.chart;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.report.SavedReport;
import io.albis.benchmarks.report.SavedTable;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A saved report that charts show the figures of.
 *
 * @param source where the reader of a chart finds the figures
 */
public record WrittenReport(String source, SavedReport report)
{
    public WrittenReport
    {
        requireNonNull(source, "source is null");
        requireNonNull(report, "report is null");
    }

    /**
     * Returns what was measured, and how often.
     */
    public String description()
    {
        String introduction = report.introduction().stream()
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("");
        // The rest is on how the rounds alternate
        int end = introduction.indexOf(" In each round");
        return "%s. %s".formatted(report.title(), end < 0 ? introduction : introduction.substring(0, end));
    }

    /**
     * Returns when and where it was measured.
     */
    public String environment()
    {
        return "%s, %s, Trino %s".formatted(environment("date"), environment("machine").replace("(R)", ""), environment("Trino"));
    }

    private String environment(String key)
    {
        String value = report.environment().get(key);
        if (value == null) {
            throw new IllegalArgumentException("%s does not state its %s".formatted(source, key));
        }
        return value;
    }

    /**
     * Returns the rows of the table of a section, or none if there is no such section. Each row maps column headers to
     * cells.
     */
    public List<Map<String, String>> table(String section)
    {
        return report.sections().stream()
                .filter(candidate -> candidate.title().equals(section))
                .findFirst()
                .flatMap(found -> found.table().map(SavedTable::cells))
                .orElse(ImmutableList.of());
    }

    /**
     * Parses a figure, such as {@code 3,370.230} or {@code 1.52 [1.40, 1.52] hive}.
     *
     * @return the figure, or empty if the cell has none
     */
    public static Optional<Double> figure(String cell)
    {
        try {
            return Optional.of(Double.parseDouble(Splitter.on(' ').split(cell).iterator().next().replace(",", "")))
                    .filter(Double::isFinite);
        }
        catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
