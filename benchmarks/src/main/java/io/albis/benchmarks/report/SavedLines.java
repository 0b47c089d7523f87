package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;

import java.util.List;

import static java.util.stream.Collectors.joining;

/**
 * Lines of text of a saved report, which may be empty.
 */
public record SavedLines(List<String> lines)
        implements SavedContent
{
    public SavedLines
    {
        lines = ImmutableList.copyOf(lines);
    }

    @Override
    public String markdown()
    {
        return lines.stream()
                .map(line -> line + "\n")
                .collect(joining());
    }
}
